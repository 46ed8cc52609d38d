"""The controls of kernel drivers: vivid has each type there is, uvcvideo those of a webcam, with its automatics."""
import re
import time

from machine import CommandFailed, Watch, wait_until
from studio import studio

TYPES = {'int': 'integer', 'bool': 'boolean', 'menu': 'menu', 'intmenu': 'integer-menu', 'button': 'button',
         'int64': 'integer64', 'bitmask': 'bitmask', 'str': 'string'}
FLAGS = {'inactive', 'read-only', 'write-only', 'volatile', 'grabbed', 'disabled'}
# These spoil pictures on purpose, or take the device away.
DISTURBING = re.compile('inject|disconnect|dropped|wrap_|timestamp|fill_|enable_capture|reduced_framerate|colorspace')


def number(text, bits=64):
    value = int(text, 0)
    return value & 0xFFFFFFFF if bits == 32 else value


def by_v4l2(text):
    """What `v4l2-ctl -L` says, as the rig would say it, by key."""
    found, last = {}, None
    for line in text.splitlines():
        head = re.match(r"\s*(\w+) (0x[0-9a-f]+) \((\w+)\)\s*: ?(.*)", line)
        item = re.match(r'\t+(-?\d+): (.*)', line)
        if item and last:
            name = item[2] if last['type'] == 'menu' else item[2].split(' ')[0]
            last['items'][item[1]] = name
        if not head:
            continue
        key, identifier, kind, rest = head.groups()
        flags = re.search(r'flags=(.*)', rest)
        last = {'id': int(identifier, 16), 'type': TYPES.get(kind, 'unsupported'), 'items': {},
                'flags': FLAGS & set(flags[1].split(', ') if flags else [])}
        bits = 32 if kind == 'bitmask' else 64
        if last['type'] not in ('unsupported', 'button', 'string', 'boolean'):
            for word, name in (('min', 'minimum'), ('max', 'maximum'), ('step', 'step'), ('default', 'default'), ('value', 'value')):
                if said := re.search(rf'\b{word}=(-?(?:0x)?[0-9a-f]+)', rest):
                    last[name] = number(said[1], bits)
        if kind == 'str':
            last['value'] = re.search(r"value='(.*?)'", rest)[1]
            last['minimum'], last['maximum'] = (int(re.search(rf'{word}=(\d+)', rest)[1]) for word in ('min', 'max'))
        if kind == 'bool':
            last['default'], last['value'] = (re.search(rf'{word}=(\d)', rest)[1] == '1' for word in ('default', 'value'))
        found[key] = last
    return found


def compared(ours, theirs):
    """What differs between the rig's list and v4l2-ctl's, of what v4l2-ctl shows."""
    ours = {control['key']: control for control in ours}
    differs = [f'{key}: only one of the two has it' for key in set(ours) ^ set(theirs)]
    for key in set(ours) & set(theirs):
        mine = ours[key]
        for member, said in theirs[key].items():
            # vivid counts its pictures in one that is only to be read.
            if member == 'value' and {'volatile', 'read-only'} & theirs[key]['flags']:
                continue
            shown = mine.get(member, {} if member == 'items' else None)
            if member == 'flags':
                shown = FLAGS & set(shown)
            if mine['type'] == 'integer-menu' and member == 'items':
                shown = {index: text.split(' ')[0] for index, text in shown.items()}
            if shown != said:
                differs.append(f'{key}: {member} is {shown}, v4l2-ctl says {said}')
    return sorted(differs)


def another(control):
    """A value that it does not have, as people write it, and as the rig says it."""
    kind, value = control['type'], control['value']
    if kind == 'boolean':
        return 'off' if value else 'on', not value
    if kind in ('menu', 'integer-menu'):
        index = next(index for index in sorted(control['items'], key=int) if int(index) != value)
        return (control['items'][index] if kind == 'menu' else index), int(index)
    if kind == 'string':
        return 'cam', 'cam'
    if kind == 'bitmask':
        wish = control['maximum'] & ~value or control['maximum']
        return hex(wish), wish
    wish = control['maximum'] - control['step'] if value != control['maximum'] - control['step'] else control['minimum']
    return str(wish), wish


def controls(s):
    m, rig = s.machine, s.rig
    kept = {}

    def vivid_node():
        return '/dev/' + m.run('grep -l ^vivid /sys/class/video4linux/*/name | head -1').split('/')[4]

    def listed(camera):
        return rig.ctl('controls', camera)

    def value(camera, key):
        return next(control['value'] for control in listed(camera) if control['key'] == key)

    def open_all():
        """Every camera opened, so that what was chosen is set; closed again."""
        rig.ctl('record', 'arm')
        rig.wait_for_state(kept['open'], ['streaming'])
        rig.ctl('record', 'arm', 'off')

    # --- vivid ---

    def same():
        theirs = by_v4l2(m.run(f'v4l2-ctl -d {vivid_node()} -L'))
        assert set(TYPES.values()) <= {control['type'] for control in theirs.values()}, 'vivid has fewer types than that'
        differs = compared(listed(s.vivid), theirs)
        print(f'      {len(theirs)} controls')
        assert not differs, '\n'.join(differs)

    def changed():
        wishes = {}
        for control in listed(s.vivid):
            if control['type'] in ('unsupported', 'button') or set(control['flags']) & {'read-only', 'inactive'} \
                    or DISTURBING.search(control['key']):
                continue
            wishes[control['key']] = another(control)
        answer = rig.ctl('set', s.vivid, 'button=1', *(f'{key}={text}' for key, (text, _) in wishes.items()))
        assert not answer['refused'], answer['refused']
        kept['wishes'] = {key: wish for key, (_, wish) in wishes.items()}
        # Strings are padded to what the driver wants.
        granted = {key: got for key, got in answer['granted'].items() if key in wishes}
        assert granted == kept['wishes'], {key: (got, kept['wishes'][key]) for key, got in granted.items()
                                           if got != kept['wishes'][key]}
        print(f'      {len(wishes)} set')
        stays()

    def stays():
        """As the driver says it."""
        theirs = by_v4l2(m.run(f'v4l2-ctl -d {vivid_node()} -L'))
        wrong = {key: (theirs[key].get('value'), wish) for key, wish in kept['wishes'].items()
                 if theirs[key].get('value') != wish}
        assert not wrong, f'(value, wish): {wrong}'
        return True

    def reloaded():
        wait_until(lambda: m.run('modprobe -r vivid && echo gone'), 30, 'vivid can be unloaded: nobody holds it')
        rig.wait_for_state(s.vivid, ['offline'])
        m.run('modprobe vivid; udevadm settle')
        rig.wait_for_cameras(lambda all: any(c.id == s.vivid and c.present for c in all), 60, 'vivid is back')
        # Before anybody opens it.
        wait_until(stays, 20, 'what was chosen is set again')
        open_all()
        stays()

    def restarted():
        node = vivid_node()
        m.run(f'systemctl stop camrig; v4l2-ctl -d {node} -c brightness=1,boolean=1,menu=3,integer_64_bits=5; systemctl start camrig')
        rig.wait()
        wait_until(stays, 20, 'what was chosen is set again')

    def from_outside():
        watch = Watch(m)
        try:
            time.sleep(2)
            m.run(f'v4l2-ctl -d {vivid_node()} -c hue=-77')
            watch.wait(lambda event, p: event == 'control.changed' and any(
                c['key'] == 'hue' and c['value'] == -77 for c in p['controls']), 20, 'the change of hue')
        finally:
            watch.close()

    def reset():
        rig.ctl('controls', 'reset', s.vivid)
        off = {c['key']: c['value'] for c in listed(s.vivid)
               if 'default' in c and c['type'] not in ('unsupported', 'button') and not {'volatile', 'read-only'} & set(c['flags'])
               and c.get('value') != c['default']}
        assert not off, off

    # --- a webcam ---

    def webcam():
        kept['studio'] = studio(s)
        roles = {control.get('role') for control in listed(kept['studio'].id)}
        assert {'zoom', 'exposure', 'exposure-auto', 'white-balance', 'white-balance-auto', 'focus', 'focus-auto', 'gain',
                'brightness', 'power-line-frequency', 'keep-frame-rate'} <= roles, roles

    def set_studio(*words):
        answer = rig.ctl('set', kept['studio'].id, *words)
        assert not answer['refused'], answer
        return answer['granted']

    def automatics():
        device = kept['studio']
        assert device.status()['ae_mode'] == '8'
        granted = set_studio('exposure=300')
        assert granted == {'exposure_time_absolute': 300, 'auto_exposure': 1}, granted
        granted = set_studio('white-balance=3003')
        assert granted == {'white_balance_temperature': 3000, 'white_balance_automatic': False}, granted
        granted = set_studio('focus=52')
        assert granted['focus_automatic_continuous'] is False and granted['focus_absolute'] in (50, 55), granted
        kept['focus'] = str(granted['focus_absolute'])
        said = device.status()
        assert (said['ae_mode'], said['exposure']) == ('1', '300'), said
        assert (said['white_balance_auto'], said['white_balance'], said['focus']) == ('0', '3000', kept['focus']), said

    def clamped():
        assert set_studio('zoom=9999') == {'zoom_absolute': 500}
        assert set_studio('zoom=1') == {'zoom_absolute': 100}
        assert set_studio('brightness=-500') == {'brightness': -64}
        assert set_studio('zoom=250')['zoom_absolute'] == 250
        assert kept['studio'].status()['zoom'] == '250'

    def refused():
        device = kept['studio']
        device.tell('deny zoom')
        try:
            rig.ctl('set', device.id, 'zoom=300')
            raise AssertionError('what the camera refused was granted')
        except CommandFailed as error:
            assert 'the camera cannot do that as it is set just now' in str(error), error
        finally:
            device.tell('allow')
        assert value(device.id, 'zoom_absolute') == 250
        assert set_studio('zoom=250')

    def replugged():
        device = kept['studio']
        device.replug()
        kept['open'] = device.id

        def again():
            said = device.status()
            wanted = {'zoom': '250', 'ae_mode': '1', 'exposure': '300', 'white_balance_auto': '0', 'white_balance': '3000',
                      'focus_auto': '0', 'focus': kept['focus'], 'brightness': '-64'}
            wrong = {name: (said[name], value) for name, value in wanted.items() if said[name] != value}
            if wrong:
                raise ValueError(wrong)
            return True
        # The device itself forgets without power (usbcam.py).
        wait_until(again, 20, 'what was chosen is set again')
        open_all()
        again()

    def automatic_again():
        granted = set_studio('exposure-auto=on', 'white-balance-auto=on')
        said = kept['studio'].status()
        assert (said['ae_mode'], said['white_balance_auto']) == ('8', '1'), (granted, said)
        flags = {c['key']: c['flags'] for c in listed(kept['studio'].id)}
        assert 'inactive' in flags['exposure_time_absolute'] and 'inactive' in flags['white_balance_temperature'], flags

    def low_light():
        device = kept['studio']

        def hints():
            return ' '.join(rig.cameras()[device.id].raw.get('hints') or [])
        device.tell('dark')
        rig.ctl('record', 'arm')
        try:
            wait_until(lambda: 'keep-frame-rate' in hints(), 60, 'the hint')
            print('      ' + hints())
            set_studio('keep-frame-rate=on')
            assert device.status()['ae_priority'] == '0'
            wait_until(lambda: 'keep-frame-rate' not in hints(), 60, 'the hint is gone')
        finally:
            device.tell('bright')
            rig.ctl('record', 'arm', 'off')

    def to_file():
        before = {c['key']: c.get('value') for c in listed(kept['studio'].id)}
        m.run(f'camrigctl controls export {kept["studio"].id} > /root/controls.json')
        rig.ctl('controls', 'reset', kept['studio'].id)
        said = kept['studio'].status()
        assert (said['zoom'], said['brightness']) == ('100', '0'), said
        rig.ctl('controls', 'import', kept['studio'].id, '/root/controls.json')
        after = {c['key']: c.get('value') for c in listed(kept['studio'].id)}
        assert after == before, {key: (before[key], after[key]) for key in before if before[key] != after[key]}
        rig.ctl('controls', 'reset', kept['studio'].id)

    kept['open'] = s.vivid
    s.need('vivid: every control, as v4l2-ctl says it', same)
    s.test('each can be changed, and the value granted is what the driver has', changed)
    s.test('after the driver was unloaded and loaded they are set again', reloaded)
    s.test('after a restart of the service, too', restarted)
    s.test('a change by another program is told', from_outside)
    s.test('all of them back to the defaults', reset)
    s.need('a webcam: its controls have the roles that people look for', webcam)
    s.test('a manual value switches its automatic off first', automatics)
    s.test('values are clamped to range and step, and what was granted is answered', clamped)
    s.test('a refusal of the camera is told, and the next wish is heard', refused)
    s.test('after replugging they are set again', replugged)
    s.test('the automatics come back when asked for', automatic_again)
    s.test('low light halves the rate: it says so, and what keeps the rate', low_light)
    s.test('to a file, back to the defaults, and from the file', to_file)
