"""The rig in the machine, as camrigctl shows it. All that the tests know of field names stands here."""
import json
import os
import shlex
import shutil
import subprocess

from machine import CommandFailed, wait_until

TAKES = '/var/lib/camrig/takes'
# MESSAGE_IDs (Sources/DaemonKit/LogEvent.swift, systemd/camrig.catalog).
MESSAGE = {
    'started': '5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a01',
    'reloaded': '5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a03',
    'refused': '5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a04',
    'online': '5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a11',
    'offline': '5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a12',
    'take-started': '5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a21',
    'take-repaired': '5c1d2f0a6b6e4e0f9a7d3c1b8e5f4a23',
}


def seconds(value):
    """A time of the rig's clock: nanoseconds in JSON."""
    return value / 1e9


class Camera:
    def __init__(self, raw):
        self.raw = raw
        device = raw.get('device') or {}
        self.id, self.name, self.state = raw['id'], raw.get('name'), raw['state']
        self.driver, self.port, self.serial = device.get('driver'), raw.get('port') or device.get('port'), \
            raw.get('serial') or device.get('serial')
        self.twins = raw.get('sharesSerialWith') or device.get('sharesSerialWith') or []

    def __repr__(self):
        return f'{self.id} "{self.name}" {self.state} port {self.port}'

    @property
    def present(self):
        """Plugged in and usable, whether or not it is open just now."""
        return self.state not in ('offline', 'busy', 'disabled', 'failed')


class Progress:
    """One recording.progress: how far a camera had come, and what a sync had confirmed."""

    def __init__(self, moment, raw):
        self.moment, self.take, self.camera, self.clip = moment, raw.get('take'), raw['camera'], raw.get('clip')
        self.sequence = raw.get('capturedSequence', raw.get('sequence'))
        self.time = seconds(raw.get('capturedTime', raw.get('pts')))
        self.synced_sequence = raw.get('syncedSequence')
        self.synced_time = seconds(raw.get('syncedTime', raw.get('syncedPTS')))
        self.sync_seconds = raw.get('syncSeconds', 0.0)


class Clip:
    def __init__(self, raw):
        self.raw = raw
        self.file, self.frames, self.state = raw['file'], raw['frames'], raw.get('state')
        self.first, self.last = seconds(raw['firstTime']), seconds(raw['lastTime'])


class TakeCamera:
    def __init__(self, raw):
        self.raw = raw
        self.id = raw['id']
        self.clips = [Clip(clip) for clip in raw['clips']]
        self.gaps, self.runs = raw.get('gaps', []), raw.get('runs', [])

    def check_ledger(self):
        """Rule 2: last − first sequence + 1 = written + lost, run by run; and what is written is in the clips."""
        assert self.runs, f'{self.id}: no account of its pictures: {self.raw}'
        for run in self.runs:
            lost = sum(run['lost'].values())
            assert run['lastSequence'] - run['firstSequence'] + 1 == run['written'] + lost, f'{self.id}: {run}'
        written, frames = sum(run['written'] for run in self.runs), sum(clip.frames for clip in self.clips)
        assert written == frames, f'{self.id}: {written} pictures written, {frames} in its clips'


class Take:
    def __init__(self, raw):
        self.raw = raw
        self.id, self.state = raw['id'], raw['state']
        self.stop = raw.get('stop') or {}
        self.cameras = {camera['id']: TakeCamera(camera) for camera in raw['cameras']}

    @property
    def clips(self):
        return [(camera, clip) for camera in self.cameras.values() for clip in camera.clips]


class Rig:
    def __init__(self, machine):
        self.machine = machine

    def ctl(self, *words, timeout=120):
        """What camrigctl says as JSON; CommandFailed if it refuses."""
        said = self.machine.run('camrigctl ' + shlex.join(words) + ' --json', timeout=timeout)
        return json.loads(said) if said.strip() else None

    def refused(self, *words):
        """(exit status, text) of a command that must fail."""
        done = self.machine.run('camrigctl ' + shlex.join(words), check=False)
        assert done.returncode != 0, f'{words}: was not refused: {done.stdout}'
        return done.returncode, done.stdout + done.stderr

    def answers(self):
        return self.ctl('status')

    def wait(self, timeout=120):
        return wait_until(self.answers, timeout, 'the rig answers')

    def cameras(self):
        return {camera.id: camera for camera in map(Camera, self.ctl('cameras'))}

    def wait_for_cameras(self, condition, timeout, what):
        """The cameras, once condition(list of them) holds."""
        def asked():
            found = self.cameras()
            return found if condition(list(found.values())) else None
        try:
            return wait_until(asked, timeout, what)
        except AssertionError as error:
            raise AssertionError(f'{error}; cameras: {list(self.cameras().values())}') from None

    def present(self, count, timeout=60):
        return self.wait_for_cameras(
            lambda all: sum(camera.present for camera in all) == count, timeout, f'{count} cameras there')

    def wait_for_state(self, identifier, states, timeout=60):
        return self.wait_for_cameras(
            lambda all: any(camera.id == identifier and camera.state in states for camera in all), timeout,
            f'{identifier} is {" or ".join(states)}')

    def recording(self):
        """The running take's status, or None."""
        return self.ctl('status').get('recording')

    def record(self, *words):
        """Starts a take; its ID."""
        answer = self.ctl('record', 'start', *words)
        return answer.get('take') or answer['id']

    def stop(self):
        return self.ctl('record', 'stop', timeout=180)

    def takes(self):
        return self.ctl('takes')

    def take(self, identifier):
        return Take(self.ctl('take', 'show', identifier))

    def verify(self, identifier):
        """Proves the take in the guest by its own means; CommandFailed if it does not hold."""
        return self.ctl('take', 'verify', identifier, timeout=300)

    def pid(self):
        return int(self.machine.run('systemctl show -p MainPID --value camrig'))

    def journal(self, kind, *matches):
        """The journal's entries of one kind, newest last."""
        words = ' '.join([f'MESSAGE_ID={MESSAGE[kind]}', *map(shlex.quote, matches)])
        said = self.machine.run(f'journalctl -q -b -o json {words}')
        return [json.loads(line) for line in said.splitlines()]

    def fetch(self, identifier, folder, media=TAKES):
        """Copies a take to the host; the path of its folder there."""
        shutil.rmtree(f'{folder}/{identifier}', ignore_errors=True)
        os.makedirs(folder, exist_ok=True)
        self.machine.get(f'{media}/{identifier}', folder + '/')
        return f'{folder}/{identifier}'

    def check_take(self, identifier, folder, media=TAKES):
        """The whole proof: verify in the guest, the ledger's sums, and every clip decoded by FFmpeg on the host."""
        self.verify(identifier)
        take = self.take(identifier)
        local = self.fetch(identifier, folder, media)
        for camera in take.cameras.values():
            camera.check_ledger()
        for _, clip in take.clips:
            check_clip(f'{local}/{clip.file}', clip)
        shutil.rmtree(local)
        return take


def probe(path, *words):
    return json.loads(subprocess.run(
        ['ffprobe', '-v', 'error', '-of', 'json', *words, path], check=True, stdout=subprocess.PIPE, text=True).stdout)


def check_clip(path, clip):
    """Other people's program decodes every picture, and finds as many, at the same times, as the manifest says."""
    decoded = subprocess.run(
        ['ffmpeg', '-nostdin', '-v', 'error', '-xerror', '-i', path, '-map', '0:v', '-fps_mode', 'passthrough',
         '-enc_time_base', '-1', '-f', 'null', '-'],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=300)
    assert decoded.returncode == 0 and not decoded.stderr, f'{clip.file}: {decoded.stderr[-400:]}'
    packets = probe(path, '-select_streams', 'v:0', '-show_entries', 'packet=pts_time')['packets']
    assert len(packets) == clip.frames, f'{clip.file}: {len(packets)} pictures, the manifest says {clip.frames}'
    times = sorted(float(packet['pts_time']) for packet in packets)
    span = clip.last - clip.first
    assert abs(times[-1] - times[0] - span) < 5e-6, f'{clip.file}: {times[-1] - times[0]} s, the manifest says {span}'


__all__ = ['Camera', 'Clip', 'CommandFailed', 'MESSAGE', 'Progress', 'Rig', 'TAKES', 'Take', 'check_clip', 'probe']
