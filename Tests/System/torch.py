"""Torches and the tally: LEDs of the kernel's LED class and GPIO lines, as the installed service switches them."""
import time

from laptop import Laptop
from machine import Watch, wait_until
from studio import studio

LED = '/sys/class/leds/thingm0:red:led0'
KEYS = '/sys/class/leds/input0::scrolllock'


def torch(s):
    m, rig = s.machine, s.rig
    device = studio(s)

    def lamps(number=1):
        return device.status().get(f'lamp {number}', '0 0 0')

    def lines():
        return next(line.split()[1] for line in m.cameras('gpio status').splitlines() if line.startswith('lines'))

    def torches():
        return {torch['id']: torch for torch in rig.ctl('torch')}

    def brightness(led):
        return int(m.run(f'cat {led}/brightness'))

    def trigger():
        return m.run(f'cat {KEYS}/trigger').split('[')[1].split(']')[0]

    def all_off():
        seen = lamps(), lamps(2), lines(), brightness(LED), brightness(KEYS)
        if seen != ('0 0 0', '0 0 0', '0100', 0, 0):
            raise ValueError(seen)
        return True

    def without():
        assert rig.ctl('torch') == [], torches()
        _, said = rig.refused('torch', 'key', 'on')
        assert 'torch' in said, said

    def configured():
        chip = m.cameras('lines gpio').strip()
        m.write('/etc/camrig/camrig.conf.d/20-torch.conf',
                f'[Torch]\nLights=key=led:thingm0:red:led0 fill=gpio:{chip}/1 panel=gpio:{chip}/2! keys=led:input0::scrolllock\n'
                'Tally=led:thingm0:green:led1\n')
        m.run('systemctl restart camrig-torch; systemctl reload camrig')
        wait_until(lambda: len(torches()) == 4, 30, 'four torches')
        found = torches()
        assert [found[id]['backend'] for id in ('key', 'fill', 'panel', 'keys')] == ['led-class', 'gpio', 'gpio', 'led-class'], found
        assert found['key']['camera'] == device.id and found['key']['maxLevel'] == 255, found['key']
        assert not any(torch['on'] for torch in found.values()), found
        assert all('camera' not in found[id] for id in ('fill', 'panel', 'keys')), found

    def by_cli():
        assert rig.ctl('torch', 'key', 'on')['level'] == 255
        assert lamps() == '255 0 0', device.status()
        assert rig.ctl('torch', '--camera', device.id, '40')['level'] == 40
        assert lamps() == '40 0 0', lamps()
        rig.ctl('torch', 'fill', 'on')
        assert lines() == '0110', lines()
        rig.ctl('torch', 'panel', 'on')
        assert lines() == '0010', 'a line with ! is on when it is low'
        before = trigger()
        rig.ctl('torch', 'keys', 'on')
        assert brightness(KEYS) == 1
        rig.ctl('torch', 'keys', 'off')
        assert trigger() == before, f'the kernel showed {before} there, now {trigger()}'
        for id in ('key', 'fill', 'panel'):
            rig.ctl('torch', id, 'off')
        assert all_off()

    def by_page():
        laptop = Laptop(m.port(), s.work)
        offer = rig.ctl('pair')
        laptop.trust(offer['fingerprint'])
        laptop.pair(offer['code'], 'Torch')
        assert laptop.call('torch.set', torch='key', level=255)['on']
        assert lamps() == '255 0 0', lamps()
        shown = laptop.state()['torches']
        assert shown['key']['on'] and not shown['fill']['on'], shown
        laptop.call('torch.set', torch='key', on=False)
        assert all_off()

    def told(watch, level):
        watch.wait(lambda event, p: event == 'torch.changed' and any(
            torch['id'] == 'key' and torch['level'] == level for torch in p['torches']), 20, f'level {level} from outside')

    def from_outside():
        watch = Watch(m)
        try:
            time.sleep(2)
            m.run(f'echo 17 > {LED}/brightness')
            told(watch, 17)
            assert torches()['key']['level'] == 17 and torches()['key']['on']
            m.run(f'echo 0 > {LED}/brightness')
            wait_until(lambda: not torches()['key']['on'], 10, 'it is seen to be off')
        finally:
            watch.close()

    def replugged():
        rig.ctl('torch', 'key', 'on')
        device.unplug()
        gone = torches()['key']
        assert not gone['on'] and gone['message'], gone
        print(f'      {gone["message"]}')
        _, said = rig.refused('torch', 'key', 'on')
        assert 'thingm0' in said, said
        device.plug()
        wait_until(lambda: not torches()['key']['message'], 30, 'it is there again')
        assert not torches()['key']['on'] and lamps() == '0 0 0'
        rig.ctl('torch', 'key', '99')
        assert lamps() == '99 0 0', lamps()
        watch = Watch(m)
        try:
            time.sleep(2)
            m.run(f'echo 21 > {LED}/brightness')
            told(watch, 21)
        finally:
            watch.close()
        rig.ctl('torch', 'key', 'off')

    def tally():
        rig.record('--camera', device.id, '--name', 'tally')
        assert lamps(2) == '0 255 0', device.status()
        rig.stop()
        wait_until(lambda: lamps(2) == '0 0 0', 10, 'off after the take')

    def all_on():
        for id, wish in (('key', '255'), ('fill', 'on'), ('panel', 'on'), ('keys', 'on')):
            rig.ctl('torch', id, wish)
        assert (lamps(), lines()) == ('255 0 0', '0010')

    def killed():
        all_on()
        rig.record('--camera', device.id, '--name', 'killed')
        assert lamps(2) == '0 255 0'
        pid = rig.pid()
        # It comes back only after we have looked.
        m.run('mkdir -p /run/systemd/system/camrig.service.d && printf "[Service]\\nRestartSec=20\\n" '
              '> /run/systemd/system/camrig.service.d/slow.conf && systemctl daemon-reload && systemctl kill -s KILL camrig')
        wait_until(all_off, 10, 'all off', 0.2)
        assert rig.pid() == 0, 'the service is back already: this proves nothing'
        m.run('rm /run/systemd/system/camrig.service.d/slow.conf; systemctl daemon-reload; systemctl restart camrig')
        rig.wait()
        assert rig.pid() not in (0, pid)
        assert all_off() and not any(torch['on'] for torch in torches().values())

    def helper_killed():
        rig.wait_for_cameras(lambda all: any(c.id == device.id and c.present for c in all), 60, 'the camera')
        all_on()
        m.run('systemctl kill -s KILL camrig-torch')
        wait_until(all_off, 10, 'all off', 0.2)
        wait_until(lambda: not any(torch['on'] for torch in torches().values()), 10, 'the rig says so')
        all_on()

    def stopped():
        m.run('systemctl stop camrig')
        assert all_off()
        m.run('systemctl start camrig')
        rig.wait()
        m.run('rm /etc/camrig/camrig.conf.d/20-torch.conf; systemctl restart camrig-torch; systemctl reload camrig')
        wait_until(lambda: rig.ctl('torch') == [], 30, 'no torch any more')
        m.cameras('gpio quit')
        assert not m.run('systemctl list-units --failed --plain --no-legend "camrig*"').strip()

    s.test('a rig without a torch says so', without)
    s.need('an LED of the camera and GPIO lines by configuration; the LED belongs to its camera', configured)
    s.test('switched by camrigctl: levels, lines, a line that is on when low; a trigger comes back', by_cli)
    s.test('switched as the page does, and the state shows it', by_page)
    s.test('switched by somebody else: the state is the LED\'s', from_outside)
    s.test('unplugged it is gone, and comes back off', replugged)
    s.test('the tally is on during a take', tally)
    s.test('SIGKILL to the service: all off before it is back', killed)
    s.test('SIGKILL to the helper: all off, the rig knows, and can switch again', helper_killed)
    s.test('stopped: all off', stopped)
