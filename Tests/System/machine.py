"""The virtual machine of vm.sh, for tests written in Python."""
import json
import os
import shlex
import subprocess
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
# How much slower than a quiet host a busy one may be.
PATIENCE = 3


class CommandFailed(AssertionError):
    """A command in the guest, or of vm.sh, ended otherwise than it should."""


class Machine:
    def __init__(self, name, suite='bookworm'):
        self.name, self.suite = name, suite

    def _vm(self, *words, timeout=600, check=True, stdin=None):
        done = subprocess.run(
            [f'{HERE}/vm.sh', '--name', self.name, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            input=stdin if stdin is not None else '', text=True, errors='replace', timeout=timeout)
        if check and done.returncode:
            said = (done.stdout + done.stderr).strip()[-1500:]
            raise CommandFailed(f'{" ".join(words)[:200]}: exit {done.returncode}: {said}')
        return done

    def start_fresh(self, *options):
        """What a former run has left running goes."""
        self.destroy()
        self.start('--fresh', *options)

    def start(self, *options):
        self._vm('start', '--suite', self.suite, *options, timeout=900)

    def run(self, command, timeout=300, check=True, stdin=None):
        """What a shell command in the guest says on stdout; with check=False its CompletedProcess."""
        done = self._vm('run', command, timeout=timeout, check=check, stdin=stdin)
        return done.stdout if check else done

    def stream(self, command):
        """A command that goes on; its stdout is a pipe of text lines."""
        return subprocess.Popen(
            [f'{HERE}/vm.sh', '--name', self.name, 'run', command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, errors='replace')

    def put(self, *paths):
        self._vm('put', *paths)

    def get(self, *paths):
        self._vm('get', *paths)

    def write(self, path, text):
        self.run(f'mkdir -p {shlex.quote(os.path.dirname(path))} && cat > {shlex.quote(path)}', stdin=text)

    def stop(self):
        self._vm('stop')

    def power_cut(self, seed=None):
        """Ends the machine at once. With a seed, unflushed sectors are kept or lost at random."""
        self._vm('kill', *([str(seed)] if seed is not None else []))

    def reboot(self):
        before = self.run('cat /proc/sys/kernel/random/boot_id')
        self.run('systemd-run -q --on-active=0.5 systemctl reboot')
        end = time.monotonic() + 300
        while time.monotonic() < end:
            time.sleep(2)
            self._vm('wait', check=False, timeout=400)
            now = self.run('cat /proc/sys/kernel/random/boot_id', check=False, timeout=60)
            if now.returncode == 0 and now.stdout != before:
                return
        raise CommandFailed('the guest did not come back after a reboot')

    def destroy(self):
        self._vm('destroy', check=False)

    def port(self):
        """Of this machine, behind which the rig's HTTPS is."""
        return int(self._vm('port').stdout)

    def cameras(self, words, timeout=180):
        """What cameras.sh says (see its head)."""
        return self.run(f'/opt/vmrig/cameras.sh {words}', timeout=timeout)


class Watch:
    """`camrigctl watch --json`, streamed to the host: what the rig had said up to a power cut."""

    def __init__(self, machine):
        self.lines = []  # (moment on the host's monotonic clock, event, params)
        self._changed = threading.Condition()
        self._ended = False
        self._process = machine.stream('exec camrigctl watch --json')
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            try:
                said = json.loads(line)
            except ValueError:
                continue
            with self._changed:
                self.lines.append((time.monotonic(), said.get('event', ''), said.get('params', {})))
                self._changed.notify_all()
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def wait(self, wanted, timeout, what):
        """The first line for which wanted(event, params) holds, past ones included."""
        end = time.monotonic() + timeout
        seen = 0
        with self._changed:
            while True:
                for _, event, params in self.lines[seen:]:
                    if wanted(event, params):
                        return params
                seen = len(self.lines)
                left = end - time.monotonic()
                if left <= 0 or self._ended:
                    raise AssertionError(f'watch: no {what} within {timeout} s; last: {self.lines[-3:]}')
                self._changed.wait(left)

    def all(self, name):
        with self._changed:
            return [(moment, params) for moment, event, params in self.lines if event == name]

    def close(self):
        self._process.kill()
        self._process.wait()
        self._reader.join(10)


def wait_until(condition, timeout, what, pause=1.0):
    """What condition() returns once it is true; it is asked again while it fails as well.

    The limit is what a quiet host needs at most. Waiting ends what hangs and measures nothing, so a busy one has longer.
    """
    timeout *= PATIENCE
    end = time.monotonic() + timeout
    last = None
    while True:
        try:
            last = condition()
            if last:
                return last
        except (CommandFailed, KeyError, ValueError) as error:
            last = error
        if time.monotonic() >= end:
            raise AssertionError(f'{what}: not within {timeout} s; last: {last}')
        time.sleep(pause)
