"""The microphone of a USB camera by snd-usb-audio: whose it is, what of it is in a take, what is missing, how loud it is."""
import array
import json
import math
import subprocess
import time

from loopback import loopback
from machine import wait_until
from rig import probe
from studio import studio

# What usbcam.py plays, as a fraction of full scale.
LOUD = 20 * math.log10(8000 / 32768)
# Samples at 48 kHz: a turn of the tone has 48, of which few are zero. A clock that is set right declares some dozens.
SHORTEST = 12


class Track:
    """The sound of a clip, as FFmpeg decodes it."""

    def __init__(self, path):
        (self.stream,) = probe(path, '-select_streams', 'a', '-show_streams')['streams']
        self.video = probe(path, '-select_streams', 'v', '-show_streams')['streams'][0]
        raw = subprocess.run(['ffmpeg', '-nostdin', '-v', 'error', '-i', path, '-map', '0:a', '-ac', '1', '-f', 's16le', '-'],
                             check=True, stdout=subprocess.PIPE).stdout
        self.samples = array.array('h', raw)

    def silent(self):
        """Stretches of digital silence longer than SHORTEST: the tone itself crosses zero."""
        found, began = [], None
        for index, sample in enumerate(self.samples):
            if sample == 0:
                began = index if began is None else began
            elif began is not None:
                if index - began > SHORTEST:
                    found.append((began, index))
                began = None
        if began is not None and len(self.samples) - began > SHORTEST:
            found.append((began, len(self.samples)))
        return found

    def heard(self):
        """The stretches between, without 50 ms at each end."""
        ends = [0, *(edge for stretch in self.silent() for edge in stretch), len(self.samples)]
        return [self.samples[a + 2400:b - 2400] for a, b in zip(ends[::2], ends[1::2]) if b - a > 9600]


def tone(samples):
    """(Hertz, dBFS of the peak of a sine of that loudness)."""
    rises = [i for i in range(1, len(samples)) if samples[i - 1] < 0 <= samples[i]]
    hertz = (len(rises) - 1) * 48000 / (rises[-1] - rises[0])
    power = sum(sample * sample for sample in samples) / len(samples)
    return hertz, 10 * math.log10(2 * power / 32768 ** 2) if power else -200.0


def sound(s):
    m, rig = s.machine, s.rig
    device = studio(s)
    kept = {}

    def mic():
        (one,) = [one for one in rig.ctl('mics') if one.get('camera') == device.id]
        return one

    def recorded(name, meanwhile):
        """The tracks of a take of that camera, and what the manifest says of each."""
        take = rig.record('--camera', device.id, '--name', name)
        time.sleep(3)
        meanwhile()
        rig.stop()
        shown = rig.take(take)
        rig.verify(take)
        folder = rig.fetch(take, s.work)
        clips = shown.cameras[device.id].clips
        found = []
        for clip in clips:
            (said,) = clip.raw['microphones']
            found.append((Track(f'{folder}/{clip.file}'), said, clip))
        return found

    def account(track, said):
        """What the movie holds, to the sample, is what the manifest says: how much, and how much of it silence."""
        assert len(track.samples) == said['samples'], (len(track.samples), said)
        silent = sum(b - a for a, b in track.silent())
        declared = sum(said['silence'].values())
        # A stretch begins and ends at the tone's own zeros, and one too short to be told from them is not seen.
        assert abs(silent - declared) <= SHORTEST + 8 * len(track.silent()), (silent, said, track.silent())

    def paired():
        one = wait_until(lambda: mic(), 60, 'the microphone')
        assert one['state'] != 'offline' and one['pairing'] == 'automatic', one
        assert one['gain'] == {**one['gain'], 'minimum': -32.0, 'maximum': 0.0, 'value': 0.0, 'step': 1.0}, one
        kept['id'] = one['id']
        print(f'      {one["id"]} of {device.id}')

    def in_take():
        ((track, said, clip),) = recorded('sound', lambda: None)
        assert (track.stream['codec_name'], track.stream['sample_rate'], track.stream['channels']) == ('pcm_s16le', '48000', 1), track.stream
        assert said['id'] == kept['id'] and said['rate'] == 48000, said
        account(track, said)
        pictures = clip.last - clip.first
        assert abs(len(track.samples) / 48000 - pictures) < 0.2, (len(track.samples), pictures)
        # The device's own clock goes as the busy guest lets it; the rig follows.
        hertz, level = tone(max(track.heard(), key=len))
        print(f'      {len(track.samples) / 48000:.2f} s, {hertz:.2f} Hz at {level:.2f} dB; silence {said["silence"]}')
        assert abs(hertz - 1000) < 30 and abs(level - LOUD) < 0.3, (hertz, level)

    def replugged():
        def away():
            device.unplug()
            time.sleep(3)
            device.plug()
            wait_until(lambda: mic()['state'] == 'streaming', 60, 'the microphone in the take again')
            time.sleep(4)
        clips = recorded('replug', away)
        assert len(clips) == 2, [clip.raw for _, _, clip in clips]
        for track, said, clip in clips:
            account(track, said)
            hertz, level = tone(max(track.heard(), key=len))
            print(f'      {clip.file}: {len(track.samples) / 48000:.2f} s, {hertz:.2f} Hz at {level:.2f} dB; silence {said["silence"]}')
            assert abs(hertz - 1000) < 30 and abs(level - LOUD) < 0.3, (hertz, level)

    def stalled():
        def freeze():
            device.tell('mic-freeze')
            time.sleep(4)
            device.tell('mic-thaw')
            time.sleep(6)
        ((track, said, _),) = recorded('freeze', freeze)
        account(track, said)
        longest = max(b - a for a, b in track.silent()) / 48000
        print(f'      silent for {longest:.2f} s; declared {said["silence"]}')
        assert longest > 2.5, track.silent()
        resumed = max(track.silent(), key=lambda stretch: stretch[1] - stretch[0])[1]
        # Some of it may be lost where the guest has no time.
        again = sum(1 for sample in track.samples[resumed:] if sample) / 48000
        print(f'      {again:.2f} s of sound after it')
        assert again > 0.5, 'the sound did not come back'

    def turned():
        rig.ctl('mics', 'set', kept['id'], '--gain', '-12')
        assert device.status()['volume'] == str(-12 * 256), device.status()
        def mute():
            rig.ctl('mics', 'set', kept['id'], '--mute', 'on')
            assert device.status()['muted'] == '1', device.status()
            time.sleep(3)
        try:
            ((track, said, _),) = recorded('quieter', mute)
        finally:
            rig.ctl('mics', 'set', kept['id'], '--mute', 'off', '--gain', '0')
        heard = track.heard()[0]
        # What was on its way through the device when it was turned down is louder.
        hertz, level = tone(heard[len(heard) // 3:2 * len(heard) // 3])
        print(f'      {level:.2f} dB; muted from {track.silent()[-1][0] / 48000:.2f} s on')
        assert abs(level - (LOUD - 12)) < 0.5, level
        assert track.silent()[-1][1] == len(track.samples), 'not muted to the end'
        said = device.status()
        assert (said['volume'], said['muted']) == ('0', '0'), said

    def by_others():
        card = m.run(f'grep -l Studio /proc/asound/card*/stream0 | head -1').split('/')[3].removeprefix('card')
        m.run(f'amixer -q -c {card} sset Mic 50%')
        gain = wait_until(lambda: mic()['gain']['value'] if mic()['gain']['value'] != 0 else None, 20, 'the gain of another program')
        assert -20 < gain < -5 or gain == -16, gain
        rig.ctl('mics', 'set', kept['id'], '--gain', '-6')
        device.replug()
        wait_until(lambda: device.status()['volume'] == str(-6 * 256), 30, 'the gain chosen is set again after replugging')
        rig.ctl('mics', 'set', kept['id'], '--gain', '0')

    def metered():
        said = m.run('camrigctl mics meter --json --count 15')
        last = json.loads(said.strip().splitlines()[-1])['microphones'][kept['id']]
        print(f'      peak {last["peak"]}, RMS {last["rms"]}')
        assert abs(last['peak'][0] - LOUD) < 0.3 and abs(last['rms'][0] - (LOUD - 3.01)) < 0.5, last

    def of_eight_bits():
        device.tell('mic-format 8 16000 2')
        device.replug()
        # A track has the channels that are known when its clip begins: the microphone is open by then.
        rig.ctl('record', 'arm', 'on')
        try:
            wait_until(lambda: mic()['state'] == 'streaming', 60, 'the microphone is open')
            ((track, said, clip),) = recorded('small', lambda: time.sleep(1))
        finally:
            rig.ctl('record', 'arm', 'off')
        assert (track.stream['codec_name'], track.stream['channels']) == ('pcm_s16le', 2), track.stream
        account(track, said)
        hertz, level = tone(max(track.heard(), key=len))
        print(f'      {len(track.samples) / 48000:.2f} s, {hertz:.2f} Hz at {level:.2f} dB; silence {said["silence"]}')
        assert abs(hertz - 1000) < 30 and abs(level - LOUD) < 0.5, (hertz, level)

    s.need('it belongs to the camera of the same USB device, and has a volume', paired)
    s.test('a take has its tone, as long as the pictures, accounted for to the sample', in_take)
    s.test('unplugged and replugged within a take: its sound is in both clips', replugged)
    s.test('it stops giving sound: silence of that length, declared, and sound again', stalled)
    s.test('volume and mute are the card\'s own', turned)
    s.test('what another program turns is seen; what was chosen is set again after replugging', by_others)
    s.test('the meter shows peak and RMS', metered)
    s.test('one of 8 bits, 16 kHz and two channels sounds the same', of_eight_bits)
    loopback(s, device)
