"""What the benchmarks need."""
import json
import os
import pathlib
import re
import signal
import statistics
import subprocess
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FAKE = ROOT / 'Tests/FakeCam/build'
BINARIES = pathlib.Path(os.environ.get('CAMRIG_BIN', ROOT / '.build/release'))
PICTURE_BYTES = 200_000


def sh(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options).stdout


def make_pictures(folder, size='1920x1080', most=PICTURE_BYTES):
    """Eight JPEGs of at most that many bytes with something in them."""
    folder.mkdir()
    source = f'testsrc2=size={size}:rate=1,noise=alls=22:allf=t'
    for quality in range(2, 32):
        sh('ffmpeg', '-nostdin', '-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-frames:v', '1', '-q:v', str(quality),
           '-pix_fmt', 'yuvj422p', str(folder / 'try.jpg'))
        if (folder / 'try.jpg').stat().st_size <= most:
            break
    (folder / 'try.jpg').unlink()
    sh('ffmpeg', '-nostdin', '-v', 'error', '-f', 'lavfi', '-i', source, '-frames:v', '8', '-q:v', str(quality),
       '-pix_fmt', 'yuvj422p', str(folder / '%d.jpg'))
    return statistics.mean(path.stat().st_size for path in folder.glob('*.jpg'))


def configuration(path, pictures, count, size='1920x1080'):
    text = ''
    for i in range(count):
        text += (f'[cam{i}]\npath = /dev/video{i}\ncard = Bench {i}\nbus_info = usb-0000:00:14.0-{i + 1}\n'
                 f'serial = BENCH{i}\nframes = {pictures}\nformat = MJPG {size} 30\n\n')
    path.write_text(text)


def statistics_of(path, name):
    """What the emulator wrote of a program at its end (FAKECAM_STATS)."""
    for line in path.read_text().splitlines():
        values = dict(re.findall(r'(\S+?)=(\S+)', line))
        if values.get('process') == name:
            return values
    raise RuntimeError(f'no statistics of {name}')


class CPUAccount:
    """CPU seconds of all threads of a process but the emulator's, by the scheduler's own account, in which ticks do not round.
    A thread that ends takes its account along: what it had at the last look counts."""

    def __init__(self, pid):
        self.pid, self.seen, self.before = pid, {}, 0.0
        self.look()
        self.before = sum(self.seen.values())

    def look(self):
        for task in pathlib.Path(f'/proc/{self.pid}/task').iterdir():
            try:
                if not (task / 'comm').read_text().startswith('fakecam'):
                    self.seen[task.name] = int((task / 'schedstat').read_text().split()[0]) / 1e9
            except OSError:
                pass

    @property
    def seconds(self):
        """Since the account was opened."""
        self.look()
        return sum(self.seen.values()) - self.before


class Rig:
    """camrigd with the emulated cameras of cameras.conf in `work`, with a state of its own."""

    def __init__(self, work, *options, cameras='cameras.conf'):
        self.work = work
        for name in ('state', 'run'):
            subprocess.run(['rm', '-rf', str(work / name)], check=True)
            (work / name).mkdir()
        (work / 'camrig.conf').write_text('[Storage]\nDiskReserve=16M\n')
        self.log = (work / 'camrigd.log').open('w')
        self.process = subprocess.Popen(
            [str(FAKE / 'fakecam-run'), '--', str(BINARIES / 'camrigd'), '--config', str(work / 'camrig.conf'), '--state-dir',
             str(work / 'state'), '--runtime-dir', str(work / 'run'), *options],
            env=dict(os.environ, FAKECAM_CONF=str(work / cameras), FAKECAM_NOCOPY='1', FAKECAM_CTL=str(work / 'ctl'),
                     FAKECAM_STATS=str(work / 'stats'), SWIFT_BACKTRACE='enable=no'),
            stderr=self.log)

    def ctl(self, *words):
        done = subprocess.run(
            [str(BINARIES / 'camrigctl'), '--socket', str(self.work / 'run/control.sock'), '--json', *words],
            capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f'camrigctl {" ".join(words)}: {done.stderr}')
        return json.loads(done.stdout)

    def wait_for_cameras(self, count):
        deadline = time.monotonic() + 30
        while True:
            try:
                if sum(camera['state'] == 'idle' for camera in self.ctl('cameras')) >= count:
                    return
            except RuntimeError:
                pass
            if time.monotonic() > deadline or self.process.poll() is not None:
                raise RuntimeError('the cameras did not appear: ' + pathlib.Path(self.log.name).read_text())
            time.sleep(0.1)

    def reload(self):
        os.kill(self.pid, signal.SIGHUP)

    @property
    def pid(self):
        for path in pathlib.Path('/proc').glob('[0-9]*/stat'):
            try:
                name, parent = re.match(r'\d+ \((.*)\) \S (\d+)', path.read_text()).groups()
            except (OSError, AttributeError):
                continue
            if name == 'camrigd' and int(parent) == self.process.pid:
                return int(path.parent.name)
        raise RuntimeError('camrigd is gone')

    def stop(self):
        self.process.terminate()
        self.process.wait(30)
        self.log.close()
