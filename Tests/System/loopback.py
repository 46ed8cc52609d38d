"""Microphones of every kind by snd-aloop: what a program plays into one end of a cable is a microphone at the other, in the very
format, rate and number of channels that are played, and with a clock that is off by as much as is wished."""
import array
import math
import os
import struct
import subprocess
import time

from machine import wait_until
from rig import probe

GRID = 48000
QUIET, LOUD = 0.06, 0.5
# What another program may have of the guest's time: so much is played in advance.
AHEAD_MICROSECONDS = 800_000
WIDTH = {'S16_LE': 2, 'S24_3LE': 3, 'S24_LE': 4, 'S32_LE': 4, 'FLOAT_LE': 4}


def hertz(channel):
    """Of its tone, so that channels are told apart."""
    return 400 + 100 * channel


def coded(value, form):
    if form == 'FLOAT_LE':
        return struct.pack('<f', value)
    bits = {'S16_LE': 16, 'S32_LE': 32}.get(form, 24)
    number = round(value * (2 ** (bits - 1) - 1))
    return number.to_bytes(WIDTH[form], 'little', signed=True)


def second(form, rate, channels):
    """One second that can be played again and again: a tone, loud for its first tenth."""
    out = bytearray()
    for n in range(rate):
        for channel in range(channels):
            loudness = LOUD if n < rate // 10 else QUIET
            out += coded(loudness * math.sin(2 * math.pi * hertz(channel) * n / rate), form)
    return bytes(out)


class Cable:
    """From one device of a card to the other."""

    def __init__(self, number, form, rate, channels, shift=100_000):
        self.form, self.rate, self.channels, self.shift = form, rate, channels, shift
        # Two of a card.
        self.card, self.played = f'Cable{number // 2}', number % 2
        self.heard = 1 - self.played
        self.file = f'{form}-{rate}-{channels}'
        self.id = None

    def __str__(self):
        off = f', off by {(100_000 / self.shift - 1) * 1e6:+.0f} ppm' if self.shift != 100_000 else ''
        return f'{self.form} {self.rate} Hz, {self.channels} channel{"s" if self.channels > 1 else ""}{off}'

    @property
    def bits(self):
        """Of the track."""
        return 16 if self.form == 'S16_LE' else 24

    @property
    def status(self):
        return f'/proc/asound/{self.card}/pcm{self.played}p/sub0/status'


# How far the clocks of real cards are off is a tenth of it: a short take tells as much by this as a long one by that.
CABLES = [Cable(number, *words) for number, words in enumerate([
    ('S16_LE', 44100, 2), ('S24_3LE', 48000, 1, 100_500), ('S24_LE', 16000, 2), ('S32_LE', 96000, 1, 99_500),
    ('FLOAT_LE', 8000, 1)])]
# Of one take: resampling is dear where the processor is emulated.
LONG, SHORT = CABLES[:2], CABLES[2:]


class Sound:
    """A track of a clip, as FFmpeg tells and decodes it: each channel's samples."""

    def __init__(self, path, track):
        self.stream = probe(path, '-select_streams', f'a:{track - 1}', '-show_streams')['streams'][0]
        self.channels = []
        raw = subprocess.run(['ffmpeg', '-nostdin', '-v', 'error', '-i', path, '-map', f'0:a:{track - 1}', '-f', 's16le', '-'],
                             check=True, stdout=subprocess.PIPE).stdout
        samples, count = array.array('h', raw), self.stream['channels']
        self.channels = [samples[channel::count] for channel in range(count)]

    def __len__(self):
        return len(self.channels[0])

    def silent(self):
        """Stretches of digital silence longer than 2 ms."""
        found, began = [], None
        samples = self.channels[0]
        for at in range(0, len(samples), 24):
            if any(samples[at:at + 24]):
                if began is not None:
                    found.append([began, at])
                began = None
            elif began is None:
                began = at
        if began is not None:
            found.append([began, len(samples)])
        for stretch in found:
            while stretch[0] > 0 and samples[stretch[0] - 1] == 0:
                stretch[0] -= 1
            while stretch[1] < len(samples) and samples[stretch[1]] == 0:
                stretch[1] += 1
        return [tuple(stretch) for stretch in found if stretch[1] - stretch[0] > 96]

    def beats(self):
        """Where its loud tenths of a second begin, to a fraction of a millisecond."""
        found, quiet = [], 0
        samples, bar = self.channels[0], int(32768 * (LOUD + QUIET) / 2 / 2)
        for at in range(0, len(samples), 48):
            block = samples[at:at + 48]
            loud = max(block) > bar or min(block) < -bar
            if loud and quiet >= 600:
                found.append(at + next(i for i, sample in enumerate(block) if abs(sample) > bar))
            quiet = 0 if loud else quiet + 1
        # What silence ends may be the middle of one.
        ends = [stretch[1] for stretch in self.silent()]
        return [at for at in found if all(abs(at - end) > 9600 for end in ends)]

    def pitch(self, channel):
        """Of the longest stretch without silence."""
        ends = [0, *(edge for stretch in self.silent() for edge in stretch), len(self)]
        begin, end = max(zip(ends[::2], ends[1::2]), key=lambda stretch: stretch[1] - stretch[0])
        # The first second of a microphone its clock is learned in.
        samples = self.channels[channel][begin + GRID:end - GRID // 10]
        rises = [at for at in range(1, len(samples)) if samples[at - 1] < 0 <= samples[at]]
        def crossing(at):
            return at - samples[at] / (samples[at] - samples[at - 1])
        return (len(rises) - 1) * GRID / (crossing(rises[-1]) - crossing(rises[0]))


def line(points):
    """(slope, height at 0) of the straight line through them."""
    x, y = (sum(column) / len(points) for column in zip(*points))
    slope = sum((a - x) * (b - y) for a, b in points) / sum((a - x) ** 2 for a, _ in points)
    return slope, y - slope * x


LOOK = """
import sys, time
for _ in range(8):
    for number, path in enumerate(sys.argv[1:]):
        with open(path) as file:
            text = file.read()
        (frame,) = [line.split(':')[1] for line in text.splitlines() if line.startswith('hw_ptr')]
        print(number, time.monotonic(), frame)
    time.sleep(0.03)
"""


class Loopback:
    """All cables in the guest, their microphones those of the one camera (a Studio)."""

    def __init__(self, s, camera, cables):
        self.m, self.rig, self.camera, self.cables = s.machine, s.rig, camera, cables
        self.work = s.work
        self.other = next(one['id'] for one in self.rig.ctl('mics') if one.get('camera') == camera.id and one['pairing'] == 'automatic')

    def plug(self):
        folder = f'{self.work}/cables'
        os.makedirs(folder)
        for cable in self.cables:
            with open(f'{folder}/{cable.file}', 'wb') as file:
                file.write(second(cable.form, cable.rate, cable.channels))
        with open(f'{folder}/play', 'w') as file:
            file.writelines(self._player(cable) for cable in self.cables)
            file.write('wait\n')
        self.m.put(folder, '/run/')
        cards = sorted({cable.card for cable in self.cables})
        ones = ','.join('1' for _ in cards)
        self.m.run(f'modprobe snd-aloop enable={ones} id={",".join(cards)} pcm_substreams={ones} && udevadm settle && '
                   'systemd-run -q --unit=vmrig-cables sh /run/cables/play')
        wait_until(self._play, 30, 'all cables have a program that plays')
        wait_until(self._microphones, 60, 'their microphones')
        # The guest's time is for them: few pictures, and no microphone of the camera's own.
        self.rig.ctl('mics', 'set', self.other, '--enabled', 'off')
        self.rig.ctl('record', 'arm')
        self.rig.wait_for_state(self.camera.id, ['streaming'])
        self.camera.tell('fps 5')

    def unplug(self):
        """All is as before; a take that failed is ended."""
        self.m.run('camrigctl record stop; camrigctl record arm off; systemctl stop vmrig-cables; rm -r /run/cables', check=False)
        self.rig.ctl('mics', 'set', self.other, '--enabled', 'on')
        self.camera.tell('fps 15')
        # The rig keeps them open for a while.
        wait_until(lambda: self.m.run('modprobe -r snd-aloop && echo gone'), 60, 'the cards are gone')
        # They would have silent tracks.
        for one in self.rig.ctl('mics'):
            if 'snd_aloop' in one['id']:
                wait_until(lambda id=one['id']: self.rig.ctl('mics', 'forget', id) is not None, 30, 'it is forgotten')

    @staticmethod
    def _player(cable):
        """Lines of a shell script: one card's clock, and who plays."""
        # A minute at a time: a process each second is dear in the guest.
        minute = f'/run/cables/{cable.file} ' * 60
        lines = [f'while cat {minute}; do :; done | aplay -q -t raw -D hw:{cable.card},{cable.played} '
                 f'-f {cable.form} -r {cable.rate} -c {cable.channels} --buffer-time={AHEAD_MICROSECONDS} &']
        if cable.shift != 100_000:
            lines.insert(0, f'amixer -q -c {cable.card} cset '
                            f'"iface=PCM,name=\'PCM Rate Shift 100000\',device={cable.heard},subdevice=0" {cable.shift}')
        return ''.join(line + '\n' for line in lines)

    def _play(self):
        return self.m.run(f'cat {" ".join(cable.status for cable in self.cables)}').count('state: RUNNING') == len(self.cables)

    def _microphones(self):
        """By their places, as udev names them."""
        places = {f'{cable.card}{f".{cable.heard}" if cable.heard else ""}': cable for cable in self.cables}
        for one in self.rig.ctl('mics'):
            cable = places.get(one['id'].rpartition('-')[2])
            if cable:
                cable.id = one['id']
        return all(cable.id for cable in self.cables)

    def look(self, cables):
        """Which sample frame each program plays, as the kernel says, several times: {cable: [(second, frame)]}."""
        said = self.m.run('python3 -S - ' + ' '.join(cable.status for cable in cables), stdin=LOOK)
        found = {cable: [] for cable in cables}
        for text in said.splitlines():
            number, moment, frame = text.split()
            found[cables[int(number)]].append((float(moment), int(frame)))
        return found

    def take(self, name, cables, meanwhile):
        """A take of some cables' sound; its one clip, and their tracks by cable: (Sound, the manifest's words, Truth)."""
        self._choose(cables, self.camera.id)
        wait_until(lambda: self._streaming(cables), 60, 'their sound')
        # A guest that has no time for seconds loses the camera in the middle, and the take has two clips.
        for _ in range(3):
            take = self.rig.record('--camera', self.camera.id, '--name', name)
            looks = [self.look(cables)]
            meanwhile()
            looks.append(self.look(cables))
            self.rig.stop()
            clips = self.rig.take(take).cameras[self.camera.id].clips
            if len(clips) == 1:
                break
        self._choose(cables, 'off')
        self.rig.verify(take)
        folder = self.rig.fetch(take, self.work)
        (clip,) = clips
        said = {one['id']: one for one in clip.raw['microphones']}
        return clip, {cable: (Sound(f'{folder}/{clip.file}', said[cable.id]['track']), said[cable.id],
                              Truth(cable, [one for look in looks for one in look[cable]], clip.first)) for cable in cables}

    def _choose(self, cables, camera):
        self.m.run(' && '.join(f'camrigctl mics set {cable.id} --camera {camera} >/dev/null' for cable in cables))

    def _streaming(self, cables):
        states = {one['id']: one['state'] for one in self.rig.ctl('mics')}
        return all(states[cable.id] == 'streaming' for cable in cables)


class Truth:
    """When a cable's seconds were played. The card counts by the kernel's ticks, which may come late where the guest has no time,
    and never early."""

    def __init__(self, cable, looks, clip_began):
        self.cable, self.clip_began = cable, clip_began
        # An underrun of the program begins a count anew.
        assert all(a[1] <= b[1] for a, b in zip(looks, looks[1:])), f'{cable}: the guest could not play on: {looks}'
        self.slope = cable.shift / 100_000 / cable.rate
        self.height = min(moment - frame * self.slope for moment, frame in looks)
        last = min(moment - frame * self.slope for moment, frame in looks[-8:])
        assert last - self.height < 0.01, f'{cable}: its clock went otherwise than it was told to: {looks}'

    def error(self, at):
        """By how many seconds the beat at that sample of the clip stands later than it was."""
        moment = self.clip_began + at / GRID
        second = self.slope * self.cable.rate
        late = (moment - self.height) % second
        return late if late < second / 2 else late - second


def loopback(s, camera):
    loop = Loopback(s, camera, LONG + SHORT)
    kept = {}

    def each(check):
        """Of every cable of the take, and all that is wrong."""
        wrong = []
        for cable, parts in kept['tracks'].items():
            try:
                print(f'      {cable}: {check(cable, *parts)}')
            except AssertionError as error:
                wrong.append(f'{cable}: {error}')
        assert not wrong, '\n'.join(wrong)

    def long():
        before, daemon = xruns(), s.rig.pid()

        def stand_still():
            time.sleep(8)
            # A second more than the kernel keeps.
            s.machine.run(f'kill -STOP {daemon}; sleep 2; kill -CONT {daemon}')
            time.sleep(4)
        kept['clip'], kept['tracks'] = loop.take('long', LONG, stand_still)
        kept['xruns'] = {id: count - before[id] for id, count in xruns().items()}

    def xruns():
        return {one['id']: one['xruns'] for one in s.rig.ctl('mics')}

    def short():
        kept['clip'], kept['tracks'] = loop.take('short', SHORT, lambda: time.sleep(5))

    def formats(cable, sound, said, _):
        stream = sound.stream
        assert (stream['sample_rate'], stream['channels']) == (str(GRID), cable.channels), stream
        assert said['channels'] == cable.channels and said.get('bits', 16) == cable.bits, said
        assert stream['codec_name'] == f'pcm_s{cable.bits}le', stream
        # Where it is played too slowly it is lower.
        pitches = [sound.pitch(channel) * cable.shift / 100_000 / hertz(channel) for channel in range(cable.channels)]
        # What a clock is off by is half a percent here, and another rate at least eight.
        assert all(abs(pitch - 1) < 0.003 for pitch in pitches), pitches
        return f'pitch within {max(abs(pitch - 1) for pitch in pitches) * 1e6:.0f} ppm'

    def length(cable, sound, said, _):
        assert len(sound) * cable.channels in (said['samples'], said['samples'] * cable.channels), (len(sound), said)
        pictures = kept['clip'].last - kept['clip'].first
        # The last picture stands for a fifth of a second itself.
        assert abs(len(sound) / GRID - pictures) < 0.5, (len(sound), pictures)
        declared = sum(said['silence'].values())
        silent = sum(b - a for a, b in sound.silent())
        # The program's own gaps are silence, too.
        assert silent >= declared - 8 * (len(sound.silent()) + 1), (said, sound.silent())
        return f'{len(sound) / GRID:.3f} s, silent {silent / GRID:.3f} s, declared {said["silence"]}'

    def in_time(_, sound, said, truth):
        errors = [(at / GRID, truth.error(at)) for at in sound.beats()]
        # A guest that has no time lets the card's ticks come late, and what is said of its time with them; that passes.
        settled = [error for at, error in errors if at - errors[0][0] > 3.5]
        assert len(settled) >= 2, f'{len(errors)} beats: {sound.silent()}'
        drift, _ = line(errors)
        worst = max(abs(error) for error in settled)
        text = f'{len(errors)} beats, first {errors[0][1] * 1e3:+.1f} ms, then at most {worst * 1e3:.1f} ms, drift {drift * 1e6:+.0f} ppm'
        assert worst < 0.02, text
        return text

    def counted(cable, sound, said, _):
        # Two seconds are as long as sound is waited for: what was written by then is called late. So is what stands before
        # the first sound of a card that took its time.
        lost, late = (said['silence'].get(cause, 0) for cause in ('xrun', 'late'))
        begin, end = max(sound.silent(), key=lambda stretch: stretch[1] - stretch[0])
        assert any(abs(end - begin - declared) <= 8 for declared in (lost, late, lost + late)), (begin, end, said)
        assert kept['xruns'][cable.id] >= 1, kept['xruns']
        return f'silent for {(end - begin) / GRID:.3f} s, declared {said["silence"]}'

    try:
        s.need('programs play into cables of many formats, and the rig has their microphones', loop.plug)
        for what, record in (('a take, in which nobody fetches the sound for 2 s', long), ('a take of other formats', short)):
            s.need(what, record)
            s.test('formats, channels and pitch are those that were played', lambda: each(formats))
            s.test('as long as the pictures', lambda: each(length))
            s.test('within 20 ms of when it was played, also where the clock is off by half a percent', lambda: each(in_time))
            if record is long:
                s.test('what nobody fetched is silence of the exact length, declared and counted', lambda: each(counted))
    finally:
        loop.unplug()
