"""What the scenarios ask of a rig: the mock does it by command, a real one by the commands of whoever runs it."""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent


class MockRig:
    """The mock as a process of its own, so that it can be restarted under the page's feet."""

    can_break = True

    def __init__(self, pictures: Path, cameras: int = 2, takes: bool = False) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="camrig-web-")
        self._arguments = [sys.executable, "-u", str(HERE / "mock_rig.py"), "--pictures", str(pictures),
                           "--cameras", str(cameras), "--memory", str(Path(self._folder.name) / "memory.json")]
        if takes:
            self._arguments.append("--takes")
        self._start("0")

    def _start(self, port: str, *more: str) -> None:
        self._process = subprocess.Popen([*self._arguments, "--port", port, *more], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True)
        self.url = json.loads(self._process.stdout.readline())["url"]

    def tell(self, do: str, **rest) -> dict:
        self._process.stdin.write(json.dumps({"do": do} | rest) + "\n")
        self._process.stdin.flush()
        return json.loads(self._process.stdout.readline())

    def pairing_code(self, role: str) -> str:
        return self.tell("pair", role=role)["code"]

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(timeout=20)

    def start(self, *more: str) -> None:
        self._start(self.url.rsplit(":", 1)[1], *more)

    def close(self) -> None:
        self.stop()
        self._folder.cleanup()


class RealRig:
    """A running camrigd with at least two cameras. The commands are shell text; `{role}` is put in."""

    can_break = False

    def __init__(self, url: str, pair: str, stop: str, start: str) -> None:
        self.url = url.rstrip("/")
        self._pair, self._stop, self._start = pair, stop, start

    def pairing_code(self, role: str) -> str:
        said = self._run(self._pair.replace("{role}", role))
        found = re.search(r"\b\d{4} \d{4}\b", said)
        assert found, f"no pairing code in what {self._pair} says: {said!r}"
        return found[0]

    def stop(self) -> None:
        self._run(self._stop)

    def start(self) -> None:
        self._run(self._start)

    @staticmethod
    def _run(command: str) -> str:
        return subprocess.run(command, shell=True, check=True, stdout=subprocess.PIPE, text=True, timeout=120).stdout

    def close(self) -> None:
        pass
