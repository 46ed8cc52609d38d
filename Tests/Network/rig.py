"""A camrigd out of the source tree, with emulated cameras (1080p30 MJPEG, pictures of 200 KB), in this network namespace."""

import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
FAKE = HERE.parent / "FakeCam" / "build"
PORT = 8470


def make_pictures(folder: Path) -> None:
    """Eight pictures of about 200 KB."""
    folder.mkdir()
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1920x1080:rate=1,noise=alls=22:allf=t",
                    "-frames:v", "8", "-q:v", "16", "-pix_fmt", "yuvj422p", str(folder / "%d.jpg")], check=True, timeout=120)


class Rig:
    def __init__(self, programs: Path, work: Path, cameras: int = 2, configuration: str = "") -> None:
        self.programs, self.work = programs, work
        for name in ("state", "run"):
            (work / name).mkdir()
        make_pictures(work / "pictures")
        (work / "camrig.conf").write_text(
            f"[Storage]\nDiskReserve=16M\n[Cameras]\nIdleTimeout=0\n{configuration}")
        (work / "cameras.conf").write_text("".join(
            f"[cam{i}]\npath = /dev/video{i}\ncard = Stage {i}\nbus_info = usb-0000:00:14.0-{i + 1}\nserial = STAGE{i}\n"
            f"frames = {work / 'pictures'}\nformat = MJPG 1920x1080 30\n" for i in range(cameras)))
        environment = dict(os.environ, FAKECAM_CONF=str(work / "cameras.conf"), FAKECAM_CTL=str(work / "ctl"),
                           FAKECAM_NOCOPY="1", SWIFT_BACKTRACE="enable=no")
        self._log = (work / "log").open("w")
        self._process = subprocess.Popen(
            [str(FAKE / "fakecam-run"), "--", str(programs / "camrigd"), "--config", str(work / "camrig.conf"),
             "--state-dir", str(work / "state"), "--runtime-dir", str(work / "run"), "--listen", f"0.0.0.0:{PORT}"],
            env=environment, stderr=self._log)
        self.until("the cameras appeared", 60, lambda: sum(c["state"] == "idle" for c in self.try_ctl("cameras")) == cameras)
        self.cameras = [camera["id"] for camera in self.ctl("cameras")]

    # MARK: What it says

    def ctl(self, *words: str):
        done = subprocess.run([str(self.programs / "camrigctl"), "--socket", str(self.work / "run/control.sock"), "--json", *words],
                              capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, f"camrigctl {' '.join(words)}: {done.stderr}{done.stdout}"
        return json.loads(done.stdout) if done.stdout.strip() else None

    def try_ctl(self, *words: str) -> list:
        try:
            return self.ctl(*words)
        except AssertionError:
            return []

    def until(self, what: str, seconds: float, condition) -> float:
        """How long it took."""
        began = time.monotonic()
        while not condition():
            assert time.monotonic() - began < seconds, f"not within {seconds} s: {what}\n{self.log()}"
            time.sleep(0.05)
        return time.monotonic() - began

    def log(self) -> str:
        return (self.work / "log").read_text()

    def resident(self) -> int:
        """Bytes of camrigd's memory."""
        return int(re.search(r"VmRSS:\s*(\d+)", Path(f"/proc/{self.pid}/status").read_text())[1]) * 1024

    @property
    def pid(self) -> int:
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                name, parent = re.match(r"\d+ \((.*)\) \S (\d+)", path.read_text()).groups()
            except (OSError, AttributeError):
                continue
            if name == "camrigd" and int(parent) == self._process.pid:
                return int(path.parent.name)
        raise AssertionError(f"camrigd is gone\n{self.log()}")

    # MARK: Who comes to it

    def pair(self, name: str, role: str = "operator") -> str:
        code = self.ctl("pair", "--role", role)["code"]
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        request = urllib.request.Request(f"https://127.0.0.1:{PORT}/pair",
                                         json.dumps({"code": code, "name": name}).encode())
        return json.load(urllib.request.urlopen(request, context=context, timeout=20))["token"]

    def is_connected(self, name: str) -> bool:
        return any(monitor["name"] == name and monitor.get("connected") for monitor in self.ctl("monitors"))

    def close(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        self._log.close()


class Monitor:
    """Looks at previews, in a process of its own; at the far end of `link`, or here."""

    def __init__(self, rig: Rig, name: str, streams: list, link=None) -> None:
        self.name, self.rig = name, rig
        words = [sys.executable, str(HERE / "monitor.py"), f"https://{link.here if link else '127.0.0.1'}:{PORT}",
                 rig.pair(name), json.dumps(streams)]
        self._process = subprocess.Popen(link.far(*words) if link else words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                         text=True)
        first = self._process.stdout.readline()
        assert first, f"{name} has seen no picture\n{rig.log()}"
        self.began = json.loads(first)["began"]

    @property
    def pid(self) -> int:
        return self._process.pid

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def stop(self) -> dict:
        """What it saw."""
        said, _ = self._process.communicate("", timeout=60)
        return json.loads(said)
