#!/usr/bin/env python3
"""System tests: the .deb in a Debian with real kernel cameras, under QEMU.

    run.py [SECTION...] [--deb FILE] [--suite bookworm|trixie] [--powercuts N] [--kills N] [--seed TEXT] [--keep]

Sections, in this order: boot identity take network page photo controls torch sound idle busy disk stop config kill upgrade
powercut. Without any, or with `all`, all of them; `kill` and `powercut` run as often as asked (0 leaves them out). --keep leaves the machine running at the
end (vm.sh --name camrig-system). The last line is `N passed, N failed`.
"""
import argparse
import glob
import itertools
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import traceback

import controls as control
import sound as microphone
from idle import idle as nothing_to_do
from machine import Machine, Watch, wait_until
from network import network as from_outside
from page import page as in_a_browser
from rig import TAKES, Progress, Rig, check_clip, probe
from studio import studio
from torch import torch as lights

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# What the emulated machine captures and, for the raw one, encodes while other work goes on.
USB = '--formats mjpeg --sizes 640x480 --fps 15'
TWINS = {'a': f'--serial SAME --label "Rig Camera" {USB}', 'b': f'--serial SAME --label "Rig Camera" {USB}'}
VIVID = ('--size', '320x180', '--rate', '10')
VIVID_OPTIONS = 'n_devs=1 node_types=0x1 num_inputs=1 input_types=0 multiplanar=1'
QUIET = 'DEBIAN_FRONTEND=noninteractive'


class Abandoned(Exception):
    """What the rest of a section stands on has failed."""


class Report:
    """ok and FAIL lines, and what the rig said last where something failed."""

    def __init__(self):
        self.passed = self.failed = 0

    def test(self, what, body, machine=None):
        """Runs body(); what it returns is returned, None after a failure."""
        began = time.monotonic()
        try:
            result = body()
        except (AssertionError, KeyError, IndexError, TypeError, ValueError, OSError, subprocess.SubprocessError) as error:
            self.failed += 1
            print(f'FAIL  {what} ({time.monotonic() - began:.0f} s)', flush=True)
            said = str(error) if isinstance(error, AssertionError) else ''.join(
                traceback.format_exception(type(error), error, error.__traceback__)[-3:])
            print('\n'.join('      ' + line for line in said.strip().splitlines()[-12:]), flush=True)
            if machine:
                journal = machine.run('journalctl -u camrig -q -b --no-pager -o cat | tail -8', check=False, timeout=60)
                print('\n'.join('      | ' + line for line in journal.stdout.splitlines()), flush=True)
            return None
        self.passed += 1
        print(f'ok    {what} ({time.monotonic() - began:.0f} s)', flush=True)
        return result


class Session:
    def __init__(self, options):
        self.options = options
        self.report = Report()
        self.work = tempfile.mkdtemp(prefix='camrig-system-')
        self.machine = Machine('camrig-system', options.suite)
        self.rig = Rig(self.machine)
        self.random = random.Random(options.seed)
        # IDs of the cameras that later sections use.
        self.twins, self.vivid = [], None
        # The camera with everything on it, once a section has plugged it in.
        self.studio = None

    def test(self, what, body, machine=None):
        return self.report.test(what, body, machine or self.machine)

    def need(self, what, body, machine=None):
        """A test that the rest of the section stands on."""
        failed = self.report.failed
        result = self.test(what, body, machine)
        if self.report.failed > failed:
            raise Abandoned(what)
        return result

    def root_usage(self):
        """Kilobytes of takes on the system's own disk."""
        return int(self.machine.run(f'du -sk --apparent-size {TAKES} 2>/dev/null | cut -f1').strip() or 0)


def install(machine, deb, tool='apt-get -q install -y'):
    machine.put(deb, '/root/')
    machine.run(f'{QUIET} {tool} /root/{os.path.basename(deb)} 2>&1', timeout=600)


# Where the packages it depends on are known to be there: half the time.
DPKG = 'dpkg --install --force-confdef'


def other_version(deb, folder, version):
    """The same package with another version, and with a change to its configuration file, as a release has."""
    tree = f'{folder}/deb-{version}'
    subprocess.run(['dpkg-deb', '-R', deb, tree], check=True)
    control = open(f'{tree}/DEBIAN/control').read()
    lines = [f'Version: {version}' if line.startswith('Version:') else line for line in control.splitlines()]
    open(f'{tree}/DEBIAN/control', 'w').write('\n'.join(lines) + '\n')
    with open(f'{tree}/etc/camrig/camrig.conf', 'a') as file:
        file.write('\n# A line that the next release brings.\n')
    made = f'{folder}/camrig_{version}_test.deb'
    subprocess.run(['dpkg-deb', '--root-owner-group', '-b', tree, made], check=True, stdout=subprocess.DEVNULL)
    return made


# --- boot: from a bare machine to a rig that records -----------------------------------------------------------


def boot(s):
    m, rig = s.machine, s.rig

    def bare():
        # Each goes only when nothing uses it any more.
        m.run('for round in 1 2 3; do for module in uvcvideo vivid snd-usb-audio videobuf2-memops videobuf2-common '
              'videodev snd-rawmidi snd-timer snd; do modprobe -q -r $module; done; done; true')
        devices = m.run('cat /proc/devices')
        assert ' video4linux' not in devices and ' alsa' not in devices, 'a module of cameras or sound is still loaded'
        install(m, s.options.deb)

    def active():
        wait_until(lambda: m.run('systemctl is-active camrig').strip() == 'active', 60, 'the service is active')
        shown = m.run('systemctl show camrig -p StatusText,NRestarts,Type,User,NotifyAccess')
        assert 'NRestarts=0' in shown and 'User=camrig' in shown, shown
        text = [line.split('=', 1)[1] for line in shown.splitlines() if line.startswith('StatusText=')]
        assert text and text[0], f'no STATUS= line: {shown}'
        print(f'      status: {text[0]}')

    def no_failed_unit():
        failed = m.run('systemctl list-units --failed --plain --no-legend')
        assert not failed.strip(), failed

    def exposure():
        print('      ' + m.run('systemd-analyze security --no-pager --threshold=20 camrig | tail -1').strip())

    def socket():
        wait_until(lambda: m.run('test -S /run/camrig/control.sock && echo yes'), 30, 'the socket is there')
        mode = m.run('stat -c "%a %G" /run/camrig/control.sock').strip()
        assert mode == '660 camrig', mode
        m.run('setpriv --reuid=daemon --regid=daemon --groups=camrig camrigctl status')
        status = m.run('setpriv --reuid=daemon --regid=daemon --clear-groups camrigctl status', check=False)
        assert status.returncode != 0, 'a stranger may operate the rig'
        assert 'camrig' in status.stderr, f'the refusal does not name the group: {status.stderr}'

    def installed():
        names = m.run('id -nG camrig').split()
        assert {'video', 'audio'} <= set(names), names
        # The image leaves manual pages out.
        differs = m.run('dpkg --verify camrig | grep -v /usr/share/man/; true')
        assert not differs, differs
        assert m.run('journalctl --list-catalog 5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a01').strip(), 'no catalog entry'

    def first_camera():
        m.cameras(f'usb first --serial FIRST {USB}')
        camera = list(rig.present(1, 90).values())[0]
        assert camera.driver == 'uvcvideo' and 'FIRST' in json.dumps(camera.raw), camera.raw
        said = m.run('journalctl -u camrig -q -b -o cat')
        assert 'Operation not permitted' not in said and 'EPERM' not in said, said[-800:]

    def first_take():
        take = rig.record('--name', 'first')
        time.sleep(3)
        rig.stop()
        shown = rig.check_take(take, s.work)
        assert shown.state == 'finished' and len(shown.clips) == 1, shown.raw
        assert shown.clips[0][1].frames > 10, shown.raw

    s.need('installed on a machine where no video driver is loaded', bare)
    s.test('the service is active and says what it does', active)
    s.test('what the package promises is there', installed)
    s.test('no unit failed', no_failed_unit)
    s.test('exposure at most 2.0', exposure)
    s.test('the socket is for root and group camrig', socket)
    def own_words():
        said = m.run('journalctl -q -b -o cat _SYSTEMD_UNIT=camrig.service _TRANSPORT=stdout')
        assert not said, f'not written by the daemon itself: {said[:800]}'

    try:
        s.need('a camera plugged in later is there, with no EPERM', first_camera)
        s.test('it records, and every picture is accounted for', first_take)
    finally:
        m.cameras('first quit')
    s.test('no library puts lines of its own into the journal', own_words)


# --- identity: who is who, over reboots and replugging ---------------------------------------------------------


def plug_in(m, boot=True):
    """The three cameras of the tests: twins over USB, and vivid, a raw one."""
    m.write('/etc/modprobe.d/vivid-test.conf', f'options vivid {VIVID_OPTIONS}\n')
    if boot:
        m.write('/etc/modules-load.d/vivid-test.conf', 'vivid\n')
    for name, options in TWINS.items():
        m.cameras(f'{"boot" if boot else "usb"} {name} {options}')
    m.run('modprobe vivid; udevadm settle')


def identity(s):
    m, rig = s.machine, s.rig

    def three():
        plug_in(m)
        found = [camera for camera in rig.present(3, 120).values() if camera.present]
        twins = [camera for camera in found if camera.driver == 'uvcvideo']
        others = [camera for camera in found if camera.driver == 'vivid']
        assert len(twins) == 2 and len(others) == 1, found
        assert len({camera.id for camera in found}) == 3, found
        assert all(camera.twins for camera in twins) and not others[0].twins, [camera.raw for camera in found]
        assert 'video' not in ' '.join(camera.name or '' for camera in twins), f'a node for a name: {found}'
        s.twins, s.vivid = [camera.id for camera in twins], others[0].id

    def renamed():
        for identifier, name in zip([*s.twins, s.vivid], ['left', 'right', 'pattern']):
            rig.ctl('camera', 'rename', identifier, name)
        assert places()[s.twins[0]][0] == 'left'

    def places():
        """ID → (name, port) of the three."""
        return {id: (camera.name, camera.port) for id, camera in rig.cameras().items() if id in [*s.twins, s.vivid]}

    def rebooted():
        before = places()
        m.reboot()
        rig.wait()
        rig.present(3, 120)
        assert places() == before, f'before {before}, after {places()}'

    def replugged():
        before = places()
        m.cameras('a unplug')
        m.cameras('b unplug')
        rig.present(1)
        # Each takes the first free port, so that the twins swap sockets: what can be told apart is the socket.
        m.cameras('b plug && /opt/vmrig/cameras.sh nodes b')
        m.cameras('a plug && /opt/vmrig/cameras.sh nodes a')
        rig.present(3, 120)
        assert places() == before, f'before {before}, after {places()}'

    def by_serial():
        for name in 'cd':
            m.cameras(f'usb {name} --serial {name.upper()}1 --label {name} {USB}')
        before = {camera.id: camera for camera in rig.present(5, 120).values() if camera.serial in ('C1', 'D1')}
        assert len(before) == 2, before
        for name in 'cd':
            m.cameras(f'{name} unplug')
        rig.present(3)
        for name in 'dc':
            m.cameras(f'{name} plug && /opt/vmrig/cameras.sh nodes {name}')
        after = rig.present(5, 120)
        for id, camera in before.items():
            assert after[id].serial == camera.serial, f'{camera} became {after[id]}'
            assert after[id].port != camera.port, f'the test did not swap the ports: {after}'
        for name in 'cd':
            m.cameras(f'{name} quit')
        rig.present(3)

    def offline_stays_known():
        gone = [camera for camera in rig.cameras().values() if camera.serial in ('C1', 'D1')]
        assert [camera.state for camera in gone] == ['offline'] * 2, gone

    s.need('two cameras of one serial and a third: three IDs, the twins marked', three)
    s.test('they take names', renamed)
    s.test('IDs, names and ports are the same after a reboot', rebooted)
    s.test('and after replugging in another order: twins are told apart by socket', replugged)
    s.test('a camera with a serial of its own keeps its ID in another socket', by_serial)
    s.test('what is unplugged stays known, offline', offline_stays_known)


def ready(s):
    """The three cameras, for a section that was asked for by itself."""
    if s.vivid:
        return
    plug_in(s.machine)
    found = [camera for camera in s.rig.present(3, 120).values() if camera.present]
    s.twins = [camera.id for camera in found if camera.driver == 'uvcvideo']
    s.vivid = next(camera.id for camera in found if camera.driver == 'vivid')


def slow_down_vivid(s):
    s.rig.ctl('camera', 'set', s.vivid, *VIVID)


# --- take: a camera is unplugged and comes back in the middle ---------------------------------------------------


def take(s):
    m, rig = s.machine, s.rig
    ready(s)
    kept = {}

    def recorded():
        slow_down_vivid(s)
        kept['take'] = rig.record('--name', 'unplug')
        time.sleep(6)
        m.cameras('a unplug')
        gone = rig.present(2)
        kept['gone'] = next(id for id in s.twins if gone[id].state == 'offline')
        assert rig.recording(), 'the take ended'
        time.sleep(3)
        m.cameras('a plug && /opt/vmrig/cameras.sh nodes a')
        rig.present(3, 90)
        wait_until(lambda: len(rig.take(kept['take']).cameras[kept['gone']].clips) == 2, 60, 'its second clip')
        time.sleep(5)
        rig.stop()

    def one_take():
        shown = rig.take(kept['take'])
        assert shown.state == 'finished' and shown.stop.get('cause') == 'requested', shown.raw
        assert set(shown.cameras) == {*s.twins, s.vivid}, shown.raw
        for id, camera in shown.cameras.items():
            clips = 2 if id == kept['gone'] else 1
            assert len(camera.clips) == clips, f'{id}: {len(camera.clips)} clips: {camera.raw}'
            # A camera of this slow machine may take more than a second to begin, and that is declared, too.
            absent = [gap for gap in camera.gaps if gap['reason'] == 'absent']
            assert len(absent) <= 1 and all(gap['to'] == camera.clips[0].raw['firstTime'] for gap in absent), camera.raw
            camera.gaps = [gap for gap in camera.gaps if gap['reason'] != 'absent']
            assert len(camera.gaps) == clips - 1, f'{id}: {camera.gaps}'
        kept['shown'] = shown

    def gap():
        camera = kept['shown'].cameras[kept['gone']]
        (one,) = camera.gaps
        assert one['reason'] == 'unplugged', one
        first, second = camera.clips
        assert one['from'] / 1e9 >= first.last and abs(one['to'] / 1e9 - second.first) < 1e-3, (one, first.raw, second.raw)
        assert one['to'] - one['from'] > 2e9, one

    s.need('a take goes on when a camera is unplugged, and takes it in again', recorded)
    s.test('one take: two clips and a gap of that camera, one clip of the others', one_take)
    s.test('the gap is declared, from the last picture to the first', gap)
    s.test('every clip decodes fully, and the ledger is exact', lambda: rig.check_take(kept['take'], s.work))


# --- network: seen from another machine -------------------------------------------------------------------------


def network(s):
    ready(s)
    from_outside(s)


# --- page: a browser on another machine ---------------------------------------------------------------------------


def page(s):
    ready(s)
    # Its pictures are encoded while Chromium wants the machine, too.
    # Just recorded, it is open for IdleTimeout= more.
    wait_until(lambda: s.machine.run('modprobe -r vivid && echo gone'), 30, 'nobody holds vivid')
    # Each known camera has its place on the page.
    for id, camera in s.rig.present(2).items():
        if not camera.present:
            s.rig.wait_for_state(id, ['offline'])
            s.rig.ctl('camera', 'forget', id)
    try:
        in_a_browser(s)
    finally:
        s.machine.run('modprobe vivid')
        s.rig.present(3)


# --- photo: in the stream's size, and in the camera's largest and back ------------------------------------------


def photo(s):
    m, rig = s.machine, s.rig
    ready(s)
    kept = {}

    def shoot(*words):
        shot = rig.ctl('photo', kept['id'], *words, timeout=120)
        (one,) = shot['photos']
        assert not shot['failures'], shot
        m.get(f'{TAKES}/shots/{shot["shot"]}/{one["file"]}', s.work + '/')
        shown = probe(f'{s.work}/{one["file"]}', '-show_entries', 'stream=width,height')['streams'][0]
        assert (shown['width'], shown['height']) == (one['width'], one['height']), (shown, one)
        return one['width'], one['height']

    def granted():
        return (rig.cameras()[kept['id']].raw.get('granted') or {}).get('size')

    def plugged():
        before = set(rig.cameras())
        m.cameras('usb photo --formats mjpeg --sizes 640x480,1280x720 --fps 15')
        rig.present(4, 90)
        (kept['id'],) = set(rig.cameras()) - before
        rig.ctl('camera', 'set', kept['id'], '--size', '640x480')

    def idle():
        assert shoot() == (640, 480)

    def largest():
        rig.ctl('record', 'arm')
        wait_until(lambda: granted() == '640x480', 60, 'the stream')
        assert shoot('--still') == (1280, 720)
        wait_until(lambda: granted() == '640x480', 60, 'the stream in its own size again')
        assert shoot() == (640, 480)
        rig.ctl('record', 'arm', 'off')

    def raw():
        slow_down_vivid(s)
        kept['id'] = s.vivid
        assert shoot() == (320, 180)

    s.need('a camera of two sizes', plugged)
    s.test('a photo of a camera that was closed', idle)
    s.test('one in its largest size, and its stream goes on in its own', largest)
    s.test('a raw camera gives one, too', raw)
    m.cameras('photo unplug')
    rig.present(3)


# --- signal: a capture card whose source is switched off, and sends another size after that -----------------------


def signal(s):
    m, rig = s.machine, s.rig
    ready(s)
    kept = {}
    # Of vivid's signals the two that are not interlaced and smallest: 640x480 and 720x480, both at 60.
    small, wide = 0, 2

    def node():
        return '/dev/' + m.run('grep -l ^vivid /sys/class/video4linux/*/name | head -1').split('/')[4]

    def send(signal):
        m.run(f'v4l2-ctl -d {node()} -c dv_timings_signal_mode=4 && v4l2-ctl -d {node()} -c dv_timings={signal}')

    def loaded():
        wait_until(lambda: m.run('modprobe -r vivid && echo gone'), 30, 'nobody holds vivid')
        # 3: HDMI.
        m.run('modprobe vivid input_types=3; udevadm settle')
        rig.wait_for_state(s.vivid, ['idle'])
        rig.ctl('camera', 'set', s.vivid, '--reset', 'all')
        send(small)

    def recorded():
        kept['take'] = rig.record('--camera', s.vivid)
        wait_until(lambda: rig.cameras()[s.vivid].raw.get('granted', {}).get('size') == '640x480', 60, 'its first size')
        time.sleep(4)
        m.run(f'v4l2-ctl -d {node()} -c dv_timings_signal_mode=1')
        rig.wait_for_state(s.vivid, ['failed'])
        camera = rig.cameras()[s.vivid].raw
        assert camera['cause'] == 'noSignal', camera
        assert camera['message'].endswith(
            'has no signal at its input. Switch on what is plugged in there, and check the cable.'), camera
        time.sleep(5)
        send(wide)
        kept['back'] = time.monotonic()
        rig.wait_for_state(s.vivid, ['streaming'])
        kept['took'] = time.monotonic() - kept['back']
        wait_until(lambda: '720x480' in sizes(rig.take(kept['take'])), 60, 'a clip of the other size')
        time.sleep(4)
        rig.stop()

    def sizes(take):
        """Each once in a row: this machine is too slow for all pictures, and where many are missing a clip ends."""
        (camera,) = take.cameras.values()
        return [size for size, _ in itertools.groupby(clip.raw['format']['size'] for clip in camera.clips)]

    def soon():
        print(f'      {kept["took"]:.1f} s until it streams again', flush=True)
        # Three seconds for a user; the machine here is emulated, and asking it takes a second.
        assert kept['took'] < 8

    def two_sizes():
        take = rig.check_take(kept['take'], s.work)
        assert sizes(take) == ['640x480', '720x480'], take.raw

    try:
        s.need('a capture card instead of a camera', loaded)
        s.need('its signal goes in the middle of a take: the camera says so, and records again when there is one', recorded)
        s.test('within seconds', soon)
        s.test('a clip for each size, and the ledger is exact', two_sizes)
    finally:
        # Just recorded, it is open for IdleTimeout= more; with other controls than a webcam's it is no use to the rest.
        wait_until(lambda: m.run('modprobe -r vivid && echo gone'), 60, 'nobody holds vivid')
        m.run('modprobe vivid; udevadm settle')
        rig.wait_for_state(s.vivid, ['idle'])
        slow_down_vivid(s)


# --- controls, torch, sound: a camera with everything; idle: nothing to do ---------------------------------------


def controls(s):
    ready(s)
    slow_down_vivid(s)
    control.controls(s)


def torch(s):
    ready(s)
    lights(s)


def sound(s):
    ready(s)
    microphone.sound(s)


def idle(s):
    ready(s)
    studio(s)
    nothing_to_do(s)


def without_studio(s):
    """The other sections know three cameras."""
    s.machine.cameras('studio quit')
    s.studio = None
    s.rig.present(3)


# --- busy: another program holds a camera -----------------------------------------------------------------------


def busy(s):
    m, rig = s.machine, s.rig
    ready(s)

    def held():
        # Just recorded, it is open for IdleTimeout= more.
        for id in s.twins:
            rig.wait_for_state(id, ['idle'])
        node = m.cameras('nodes a').split()[0]
        m.run(f'systemd-run -q --unit=holder v4l2-ctl -d {node} --stream-mmap --stream-to=/dev/null')
        time.sleep(4)
        m.run('systemctl is-active holder && systemctl restart camrig')
        rig.wait()
        rig.wait_for_cameras(lambda all: [c.state for c in all if c.id in s.twins].count('busy') == 1, 60, 'one is busy')
        m.run('systemctl is-active holder')

    def freed():
        m.run('systemctl stop holder')
        rig.present(3, 30)

    s.need('a camera that another program holds is listed as busy, and goes on there', held)
    s.test('it is free again by itself', freed)


# --- disk: full, and not writable -------------------------------------------------------------------------------


def disk(s):
    m, rig = s.machine, s.rig
    ready(s)
    mount, media = '/mnt/small', '/mnt/small/camrig'
    drop_in = '/etc/systemd/system/camrig.service.d/media-directory.conf'
    before = s.root_usage()
    slow_down_vivid(s)

    def configured():
        # The guest has no mkfs; what the host makes is nearly all zeros.
        subprocess.run(f'mke2fs -q -t ext4 -m 0 {s.work}/small.img 128M >/dev/null && gzip -f {s.work}/small.img', shell=True, check=True)
        m.put(f'{s.work}/small.img.gz', '/root/')
        m.run(f'gunzip -f /root/small.img.gz && mkdir -p {mount} && mount -o loop /root/small.img {mount} && '
              f'install -d -o camrig -g camrig -m 2750 {media}')
        m.write('/etc/camrig/camrig.conf.d/media.conf', f'[Storage]\nMediaDirectory={media}\nDiskReserve=16M\n')
        m.run('systemctl restart camrig')
        rig.wait()
        rig.present(3)

    def sandboxed():
        _, said = rig.refused('record', 'start')
        assert 'ReadWritePaths' in said or 'sandbox' in said.lower(), said
        print('      ' + said.strip().splitlines()[-1][:300])

    def allowed():
        m.run(f'mkdir -p {os.path.dirname(drop_in)} && sed s:/mnt/recordings:{mount}:g '
              f'/usr/share/doc/camrig/examples/media-directory.conf > {drop_in} && '
              'systemctl daemon-reload && systemctl restart camrig')
        rig.wait()
        rig.present(3)

    def stopped(fill, causes):
        """A take that the volume ends while `fill` runs: it must say so, and play."""
        take = rig.record()
        time.sleep(4)
        m.run(fill, check=False)
        wait_until(lambda: rig.recording() is None, 120, 'the take is stopped')
        shown = rig.take(take)
        assert shown.stop.get('cause') in causes, shown.raw
        assert shown.stop.get('message'), shown.raw
        print(f'      {shown.stop["cause"]}: {shown.stop["message"][:200]}')
        m.run(f'rm -f {mount}/filler')
        local = rig.fetch(take, s.work, media)
        for _, clip in shown.clips:
            check_clip(f'{local}/{clip.file}', clip)
        rig.verify(take)

    def root_untouched():
        after = s.root_usage()
        assert after == before, f'takes on the root disk: {before} KB before, {after} KB after'
        assert rig.answers()

    def restored():
        m.run(f'rm -f {drop_in} /etc/camrig/camrig.conf.d/media.conf; systemctl daemon-reload; systemctl restart camrig; '
              f'umount {mount} && rm /root/small.img')
        rig.wait()
        rig.present(3)

    free = f'$(( $(stat -f -c "%a * %S" {mount}) ))'
    s.need('a small volume for the takes', configured)
    s.test('a volume that the sandbox forbids: the error says so', sandboxed)
    s.test('the drop-in that is shipped as an example allows it', allowed)
    s.test('below the reserve a take is finished, with the reason', lambda: stopped(
        f'fallocate -l $(( {free} - (8 << 20) )) {mount}/filler', ['diskLow', 'diskFull']))
    s.test('a volume that fills up in the middle of a take', lambda: stopped(
        f'dd if=/dev/zero of={mount}/filler bs=1M status=none', ['diskLow', 'diskFull', 'diskFailed']))
    s.test('nothing went to the root disk', root_untouched)
    s.test('back to the usual place', restored)


# --- stop: what a clean stop writes -----------------------------------------------------------------------------


def stop(s):
    m, rig = s.machine, s.rig
    ready(s)
    kept = {}

    def traced():
        slow_down_vivid(s)
        take = kept['take'] = rig.record()
        time.sleep(5)
        kept['sizes'] = file_sizes(m, take)
        m.run(f'systemd-run -q --unit=tracer strace -f -y -s 0 -o /root/stop.trace -p {rig.pid()} -e trace='
              'write,writev,pwrite64,pwritev,pwritev2,lseek,ftruncate,fallocate,copy_file_range,sendfile')
        wait_until(lambda: m.run('test -s /root/stop.trace && echo yes'), 60, 'strace is attached')
        time.sleep(2)
        rig.stop()
        m.run('systemctl stop tracer')
        m.get('/root/stop.trace', s.work + '/')

    def in_place():
        switches = {}
        for path, offset, length in positioned_writes(f'{s.work}/stop.trace'):
            name = os.path.basename(path)
            if name in kept['sizes'] and offset < kept['sizes'][name]:
                switches.setdefault(name, []).append((offset, length))
        for name in kept['sizes']:
            found = switches.get(name, [])
            assert len(found) == 1 and found[0][1] == 16, f'{name}: written below its end: {found}'

    def tail():
        local = rig.fetch(kept['take'], s.work)
        for _, clip in rig.take(kept['take']).clips:
            boxes = top_boxes(f'{local}/{clip.file}')
            media = next(i for i, box in enumerate(boxes) if box[0] == 'mdat')
            index = sum(size for kind, size in boxes[media + 1:] if kind == 'moov')
            after = sum(size for _, size in boxes[media + 1:])
            print(f'      {clip.file}: {after} bytes after the last fragment, index {index}')
            assert index > 0 and after <= index + 64, f'{clip.file}: {boxes}'

    s.need('a take is stopped under strace', traced)
    s.test('below the old end of each clip only the 16 bytes of the switch are written', in_place)
    s.test('after the last fragment come the index and at most 64 bytes', tail)


def file_sizes(m, take=''):
    """Name → size of a take's clips; of all takes' clips, with the takes' folders."""
    said = m.run(f'cd {TAKES}/{take} && find . -type f ! -name "*.json" ! -path "*/.*/*" -printf "%P %s\\n"')
    return {name: int(size) for name, size in (line.rsplit(' ', 1) for line in said.splitlines())}


def positioned_writes(trace):
    """(path, offset, bytes written) of each write of strace's log that names its place in the file."""
    begun = {}
    for line in open(trace, errors='replace'):
        thread = line.split()[0]
        call = re.search(r'(?:pwrite64|pwritev2?)\(\d+<([^>]*)>, (?:\[.*\]|"".*), \d+, (\d+)', line)
        if call:
            begun[thread] = call.group(1), int(call.group(2))
        # A call that another thread interrupts is in two lines; its result is in the second.
        result = re.search(r'(?:pwrite64|pwritev2?)(?:\(.*| resumed>.*)\) += (\d+)', line)
        if result and thread in begun:
            yield *begun.pop(thread), int(result.group(1))


def top_boxes(path):
    """(kind, size) of each box of the top level of a movie file."""
    boxes, at, end = [], 0, os.path.getsize(path)
    with open(path, 'rb') as file:
        while at + 8 <= end:
            file.seek(at)
            head = file.read(16)
            size, kind = int.from_bytes(head[:4], 'big'), head[4:8].decode('latin-1')
            if size == 1:
                size = int.from_bytes(head[8:16], 'big')
            assert size >= 8, f'{path}: a box of {size} bytes at {at}'
            boxes.append((kind, size))
            at += size
    return boxes


# --- config: mistakes of people ---------------------------------------------------------------------------------


def config(s):
    m, rig = s.machine, s.rig
    bad = '/etc/camrig/camrig.conf.d/90-mistake.conf'

    def checked():
        m.write(bad, '[Storage]\nDiskReserve=2G\nDiskRezerve=1G\n')
        done = m.run('camrigd --check-config', check=False)
        said = done.stdout + done.stderr
        assert done.returncode == 78 and '90-mistake.conf' in said and '3' in said and 'DiskRezerve' in said, said

    def reload_keeps_running():
        pid = rig.pid()
        m.run('systemctl reload camrig')
        wait_until(lambda: rig.journal('refused'), 30, 'the journal says that it was refused')
        assert rig.pid() == pid and rig.answers(), 'the service did not go on'
        said = [(entry['MESSAGE'], int(entry['PRIORITY'])) for entry in rig.journal('refused')]
        assert any('90-mistake.conf:3' in text and weight <= 4 for text, weight in said), said

    def not_started_again():
        m.run('systemctl restart camrig', check=False)
        wait_until(lambda: m.run('systemctl show -p ActiveState --value camrig').strip() == 'failed', 60, 'it has failed')
        before = m.run('systemctl show -p ExecMainStatus,NRestarts camrig')
        assert 'ExecMainStatus=78' in before, before
        time.sleep(5)
        assert m.run('systemctl show -p ExecMainStatus,NRestarts camrig') == before, 'it was started again'

    def socket_closed():
        # The mistake is still there.
        m.run('systemctl enable camrig.socket; systemctl start camrig.socket')
        before = len(rig.journal('refused'))
        for _ in range(20):
            m.run('curl -sk --max-time 5 https://localhost:8470/', check=False)
            time.sleep(0.2)
        wait_until(lambda: m.run('systemctl show -p ActiveState --value camrig.socket').strip() == 'inactive', 30,
                   'the port is closed')
        assert len(rig.journal('refused')) == before + 1, 'it was started again and again'
        status = m.run('systemctl show -p StatusText --value camrig')
        assert '90-mistake.conf' in status and '3' in status, status
        assert m.run('ss -Hltn sport = :8470').strip() == ''

    def mended():
        m.run(f'rm {bad}; systemctl start camrig')
        rig.wait()
        assert m.run('ss -Hltnp sport = :8470 | grep -c systemd').strip() == '1', m.run('ss -Hltnp')
        m.run('systemctl disable --now camrig.socket; systemctl restart camrig')
        rig.wait()
        m.write('/etc/camrig/camrig.conf.d/10-level.conf', '[Log]\nLevel=info\n')
        m.run('systemctl reload camrig')
        wait_until(lambda: rig.journal('reloaded'), 30, 'the journal says that it was read again')
        m.run('rm /etc/camrig/camrig.conf.d/10-level.conf; systemctl reload camrig')

    def fields():
        entries = rig.journal('online')
        assert entries, 'no camera came online, says the journal'
        assert all(entry.get('CAMRIG_CAMERA') for entry in entries), entries[-1]
        assert rig.journal('online', f'CAMRIG_CAMERA={entries[-1]["CAMRIG_CAMERA"]}')
        takes = rig.journal('take-started')
        assert not takes or takes[-1].get('CAMRIG_TAKE'), takes[-1]
        assert m.run(f'journalctl -q -x -b MESSAGE_ID={entries[-1]["MESSAGE_ID"]} | grep -c Subject:').strip() != '0'

    def quiet():
        lines = int(m.run('journalctl -u camrig -q -b | wc -l'))
        minutes = float(m.run('cut -d" " -f1 /proc/uptime')) / 60
        print(f'      {lines} lines in {minutes:.0f} minutes')
        assert lines <= 100 * max(1, minutes), 'too many lines in the journal'

    s.test('--check-config names file, line and key', checked)
    s.test('a reload with an error keeps the running configuration', reload_keeps_running)
    s.test('a start with an error ends with 78 and is not tried again', not_started_again)
    s.test('with camrig.socket too: one start, the port is closed, and the status says why', socket_closed)
    s.test('mended, it starts and reloads', mended)
    s.test('the journal finds lines by kind, camera and take', fields)
    s.test('the journal is not flooded', quiet)


# --- what ends a take without asking: SIGKILL and power cuts ----------------------------------------------------


class Loss:
    """What each camera lost when a take was cut, against what the rig had reported up to then."""

    def __init__(self, watch, take, cut):
        self.last = {}
        self.slowest = {}
        for moment, params in watch.all('recording.progress'):
            progress = Progress(moment, params)
            if progress.take in (take, None) and moment <= cut:
                self.last[progress.camera] = progress
                self.slowest[progress.camera] = max(self.slowest.get(progress.camera, 0), progress.sync_seconds or 0)
        self.cut = cut
        self.figures = []  # (camera, seconds lost of what was reported, seconds up to the cut, slowest sync)

    def check(self, shown):
        """Rule 4: at most the open fragment and what a sync had not confirmed; ≤ 1.5 s where a sync takes ≤ 0.5 s."""
        assert self.last, 'the rig reported no progress before the cut'
        for id, last in self.last.items():
            clips = [clip for clip in shown.cameras[id].clips if clip.frames]
            assert clips, f'{id}: {last.synced_sequence} was confirmed, and no clip has a picture'
            end = clips[-1].last
            assert end >= last.synced_time - 1e-6, \
                f'{id}: a sync had confirmed {last.synced_time:.3f} s, the clip ends at {end:.3f} s'
            reported = max(0.0, last.time - end)
            silent = self.cut - last.moment
            until_cut = max(0.0, last.time + silent - end)
            # A sync that was under way at the cut is as old as the last report, less the fragment it waited for.
            slowest = max(self.slowest[id], silent - 1.0)
            self.figures.append((id, reported, until_cut, slowest))
            bound = 1.0 + max(0.5, slowest)
            assert reported <= bound, f'{id}: {reported:.2f} s lost, slowest sync {slowest:.2f} s'

    def __str__(self):
        return '; '.join(f'{id} {reported:.2f} s (up to the cut {cut:.2f} s, slowest sync {sync:.2f} s)'
                         for id, reported, cut, sync in self.figures)


class Cycles:
    """Cuts one take after another in the same way, and keeps the figures."""

    def __init__(self, s, machine, name):
        self.s, self.m, self.name = s, machine, name
        self.rig = Rig(machine)
        self.losses = []
        self.files = {}  # every file of every take so far, with its size once it is final

    def record(self, number):
        """Starts a take and lets it run for a random time; its ID and the watch."""
        watch = Watch(self.m)
        time.sleep(1)
        take = self.rig.record('--name', f'{self.name} {number}')
        present = [id for id, camera in self.rig.cameras().items() if camera.state != 'offline']
        for id in present:
            watch.wait(lambda event, p: event == 'recording.progress' and p.get('camera') == id, 60, f'progress of {id}')
        # After Record has answered, folder and clips are on the disk.
        self.files.update({f'{take}/{name}': None for name in file_sizes(self.m, take)})
        time.sleep(self.s.random.uniform(0.3, 4))
        return take, watch

    def check(self, take, watch, cut):
        """After the restart: repaired, playable, nothing gone, loss within bounds."""
        rig = self.rig
        newest = rig.takes()[0]
        assert newest['id'] == take, f'newest is {newest}'
        wait_until(lambda: rig.take(take).state != 'recording', 120, 'the take is repaired')
        shown = rig.check_take(take, self.s.work)
        assert shown.state == 'repaired', shown.state
        now = file_sizes(self.m)
        for path, size in self.files.items():
            assert path in now, f'{path} is gone'
            assert size is None or now[path] == size, f'{path} had {size} bytes, now {now[path]}'
        self.files = now
        loss = Loss(watch, take, cut)
        loss.check(shown)
        self.losses.append(loss)
        print(f'      lost: {loss}')

    def summary(self):
        figures = [figure for loss in self.losses for figure in loss.figures]
        if figures:
            reported, cut = [f[1] for f in figures], [f[2] for f in figures]
            print(f'      {self.name}: {len(self.losses)} cycles, {len(figures)} clips; lost of what was reported: '
                  f'median {statistics.median(reported):.2f} s, most {max(reported):.2f} s; up to the cut: '
                  f'median {statistics.median(cut):.2f} s, most {max(cut):.2f} s; '
                  f'slowest sync {max(f[3] for f in figures):.2f} s', flush=True)


def kill(s):
    """SIGKILL to the daemon in the middle of takes."""
    m = s.machine
    ready(s)
    # Many takes on a small disk.
    m.write('/etc/camrig/camrig.conf.d/00-reserve.conf', '[Storage]\nDiskReserve=128M\n')
    m.run('systemctl reload camrig')
    slow_down_vivid(s)
    cycles = Cycles(s, m, 'kill')

    def one(number):
        before = cycles.rig.pid()
        take, watch = cycles.record(number)
        cut = time.monotonic()
        m.run('systemctl kill -s KILL camrig')
        watch.close()
        wait_until(lambda: cycles.rig.pid() not in (0, before), 60, 'systemd started it again')
        cycles.rig.wait()
        cycles.rig.present(3, 60)
        cycles.check(take, watch, cut)
        assert cycles.rig.journal('take-repaired', f'CAMRIG_TAKE={take}'), 'the repair was not reported'

    for number in range(1, s.options.kills + 1):
        s.test(f'SIGKILL {number} of {s.options.kills}', lambda: one(number))
    cycles.summary()


def powercut(s):
    """Power cuts of a machine of its own, whose disk has a volatile write cache (start --power-log)."""
    m = Machine('camrig-powercut', s.options.suite)
    cycles = Cycles(s, m, 'power cut')

    def prepared():
        m.start_fresh('--power-log')
        install(m, s.options.deb)
        cycles.rig.wait()
        plug_in(m)
        found = cycles.rig.present(3, 120)
        vivid = next(id for id, camera in found.items() if camera.driver == 'vivid')
        cycles.rig.ctl('camera', 'set', vivid, *VIVID)
        m.stop()
        m.start('--power-log')

    def one(number):
        cycles.rig.wait()
        cycles.rig.present(3, 120)
        take, watch = cycles.record(number)
        # Every other time the disk keeps a part of what it had not flushed, sector by sector.
        seed = None if number % 2 else f'{s.options.seed}-{number}'
        cut = time.monotonic()
        m.power_cut(seed)
        watch.close()
        m.start('--power-log')
        cycles.rig.wait(180)
        cycles.check(take, watch, cut)

    def steady():
        """After all of it: no file system trouble, no failed unit, and it records."""
        assert not m.run('systemctl list-units --failed --plain --no-legend').strip()
        cycles.rig.present(3, 120)
        take = cycles.rig.record()
        time.sleep(3)
        cycles.rig.stop()
        cycles.rig.check_take(take, s.work)

    try:
        s.need('a machine for power cuts', prepared, m)
        for number in range(1, s.options.powercuts + 1):
            s.test(f'power cut {number} of {s.options.powercuts}', lambda: one(number), m)
        cycles.summary()
        s.test('after the power cuts it records as before', steady, m)
        keep_journal(s, m)
    finally:
        if not s.options.keep:
            m.destroy()


# --- upgrade: and what stays when the package goes --------------------------------------------------------------


def upgrade(s):
    m, rig = s.machine, s.rig
    ready(s)
    mine = '# edited by the site'
    deb = s.options.deb
    newer = other_version(deb, s.work, '99.0+test')
    kept = {}

    def has_edit():
        assert mine in m.run('cat /etc/camrig/camrig.conf'), 'the edited configuration was replaced'

    def reinstalled():
        m.run(f'echo "{mine}" >> /etc/camrig/camrig.conf')
        install(m, deb, DPKG)
        has_edit()
        rig.wait()

    def while_recording():
        rig.present(3, 120)
        slow_down_vivid(s)
        kept['pid'] = rig.pid()
        kept['take'] = rig.record()
        install(m, newer, DPKG)
        has_edit()
        assert rig.pid() == kept['pid'] and rig.recording(), 'the upgrade ended the take'
        assert m.run('dpkg-query -W -f "\\${Version}" camrig') == '99.0+test'
        assert m.run('systemctl is-active camrig-restart-when-idle').strip() == 'active'
        rig.stop()

    def after_it():
        wait_until(lambda: rig.pid() not in (0, kept['pid']), 60, 'the new version runs')
        rig.wait()
        shown = rig.check_take(kept['take'], s.work)
        assert shown.stop.get('cause') == 'requested' and len(shown.clips) == 3, shown.raw
        wait_until(lambda: not m.run('systemctl list-units --failed --plain --no-legend').strip(), 20, 'no unit failed')

    def idle():
        before = rig.pid()
        install(m, deb, DPKG)
        has_edit()
        wait_until(lambda: rig.pid() not in (0, before), 60, 'an idle rig is restarted at once')
        rig.wait()

    def removed():
        m.run(f'{QUIET} apt-get -q remove -y camrig 2>&1', timeout=600)
        has_edit()
        assert m.run('systemctl is-active camrig', check=False).stdout.strip() != 'active'
        assert kept['take'] in m.run(f'ls {TAKES}')

    def purged():
        m.run('dpkg --purge camrig 2>&1', timeout=600)
        left = m.run('ls /etc/camrig 2>/dev/null; ls /var/lib/camrig').split()
        assert not {'camrig.conf', 'settings.json', 'cameras.json', 'catalog.sqlite'} & set(left), left
        assert file_sizes(m, kept['take']), 'purge removed media'

    def again():
        install(m, deb, DPKG)
        rig.wait()
        assert kept['take'] in [take['id'] for take in rig.takes()], 'the takes are not in the new catalog'

    s.test('a reinstallation keeps an edited configuration', reinstalled)
    s.test('an upgrade does not cut a running take', while_recording)
    s.test('when the take ends the new version starts by itself', after_it)
    s.test('an idle rig is restarted by the upgrade', idle)
    s.test('removed: configuration and media stay', removed)
    s.test('purged: media stay', purged)
    s.test('installed again: the takes are found', again)


SECTIONS = {f.__name__: f for f in (boot, identity, take, network, page, photo, signal, controls, torch, sound, idle, busy, disk, stop, config, kill,
                                    upgrade, powercut)}


def write_failed(sections):
    """For who runs what failed once more."""
    os.makedirs(f'{ROOT}/build/system-test', exist_ok=True)
    with open(f'{ROOT}/build/system-test/failed', 'w') as file:
        file.write(' '.join(sections))


def keep_journal(s, machine):
    """For whoever looks for the cause of a failure."""
    folder = f'{ROOT}/build/system-test'
    os.makedirs(folder, exist_ok=True)
    with open(f'{folder}/{machine.name}.journal', 'w') as file:
        file.write(machine.run('journalctl -q --no-pager -o short-precise -u camrig -u "camrig-*" -u "usbcam-*" -k', check=False).stdout)


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument('sections', nargs='*')
    parser.add_argument('--deb', default=None)
    parser.add_argument('--suite', default='bookworm')
    parser.add_argument('--powercuts', type=int, default=3)
    parser.add_argument('--kills', type=int, default=10)
    parser.add_argument('--seed', default='camrig')
    parser.add_argument('--keep', action='store_true')
    options = parser.parse_args()
    unknown = set(options.sections) - {*SECTIONS, 'all'}
    if unknown:
        parser.error(f'no such section: {", ".join(sorted(unknown))}')
    found = [options.deb] if options.deb else glob.glob(f'{ROOT}/build/camrig_*.deb')
    if len(found) != 1 or not os.path.exists(found[0]):
        print(f'run.py: one package is needed in {ROOT}/build (make deb), found: {found}', file=sys.stderr)
        return 66
    options.deb = os.path.abspath(found[0])
    wanted = [name for name in SECTIONS if not options.sections or 'all' in options.sections or name in options.sections]
    if not options.kills and 'kill' in wanted:
        wanted.remove('kill')
    if not options.powercuts and 'powercut' in wanted:
        wanted.remove('powercut')

    # Should this program end before it can tell.
    write_failed(['all'])
    s = Session(options)
    failed = []
    began = time.monotonic()
    try:
        if set(wanted) - {'powercut'}:
            up = s.test('a Debian with kernel cameras', lambda: s.machine.start_fresh('--warm') or True)
            if not up:
                failed.append('all')
            if up and 'boot' not in wanted:
                s.test('installed', lambda: (install(s.machine, options.deb), s.rig.wait()))
        for name in wanted:
            if name != 'powercut' and not up:
                continue
            print(f'--- {name}', flush=True)
            started, failures = time.monotonic(), s.report.failed
            try:
                if s.studio and name not in ('controls', 'torch', 'sound', 'idle'):
                    without_studio(s)
                SECTIONS[name](s)
            except Abandoned as what:
                print(f'      the rest of {name} is left out, since this failed: {what}')
            except (AssertionError, KeyError, StopIteration, subprocess.SubprocessError) as error:
                s.test(f'{name}: what it needs is there', lambda error=error: (_ for _ in ()).throw(AssertionError(error)))
            if s.report.failed > failures:
                failed.append(name)
            print(f'      {name}: {time.monotonic() - started:.0f} s', flush=True)
        if set(wanted) - {'powercut'} and up:
            keep_journal(s, s.machine)
    finally:
        shutil.rmtree(s.work, ignore_errors=True)
        if not options.keep:
            s.machine.destroy()
    print(f'whole: {time.monotonic() - began:.0f} s')
    write_failed(failed or (['all'] if s.report.failed else []))
    print(f'{s.report.passed} passed, {s.report.failed} failed' + (f' (in {", ".join(failed)})' if failed else ''), flush=True)
    return 1 if s.report.failed else 0


if __name__ == '__main__':
    sys.exit(main())
