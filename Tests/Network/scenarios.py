"""What must stay true on bad networks. Each is a function of a `Stage`; figures are printed, bars are asserted."""

import contextlib
import signal
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from link import Link
from mute import Mute
from rig import PORT, Monitor, Rig


@dataclass
class Stage:
    programs: Path
    work: Path
    seconds: float

    @contextlib.contextmanager
    def rig(self, **options):
        rig = Rig(self.programs, self.work, **options)
        try:
            yield rig
        finally:
            rig.close()


@contextlib.contextmanager
def link(number: int, **properties):
    made = Link(number, **properties)
    try:
        yield made
    finally:
        made.close()


def say(text: str) -> None:
    print("      " + text, flush=True)


def percentile(values: list, share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


class Ages:
    """How old the pictures were as they came, in milliseconds; the first seconds, in which the rig learns what the link
    carries, stand apart."""

    learning = 5.0

    def __init__(self, seen: dict) -> None:
        pictures = seen["pictures"]
        assert seen["ended"] is None, f"the monitor was left: {seen['ended']}"
        steady = [p for p in pictures if p[0] > pictures[0][0] + self.learning]
        assert len(steady) > 10, f"only {len(steady)} pictures came"
        ages = [p[1] * 1000 for p in steady]
        third = len(ages) // 3
        self.median, self.p95, self.worst = statistics.median(ages), percentile(ages, 0.95), max(ages)
        self.early, self.late = statistics.median(ages[:third]), statistics.median(ages[-third:])
        self.rate = len(steady) / max(steady[-1][0] - steady[0][0], 0.001)
        self.width = statistics.median(p[3] for p in steady)
        self.start = max(p[1] * 1000 for p in pictures if p not in steady)

    def __str__(self) -> str:
        return (f"median {self.median:.0f} ms, 95 % within {self.p95:.0f}, worst {self.worst:.0f}; first third {self.early:.0f}, "
                f"last {self.late:.0f}; {self.rate:.1f} a second, {self.width:.0f} wide; while learning at most {self.start:.0f}")


def narrow(stage: Stage, name: str, **properties) -> Ages:
    with stage.rig(cameras=1) as rig, link(1, **properties) as line:
        monitor = Monitor(rig, "Far away", [{"camera": rig.cameras[0]}], line)
        time.sleep(stage.seconds + Ages.learning)
        ages = Ages(monitor.stop())
        say(f"{name}: {ages}")
        return ages


def two_megabits(stage: Stage) -> None:
    """2 Mbit/s, 50 ms each way: median at most 300 ms, 95 % within 800 ms, never growing"""
    ages = narrow(stage, "2 Mbit/s, 50 ms each way", rate=2e6, delay=0.05)
    hold(ages)


def two_megabits_with_loss(stage: Stage) -> None:
    """the same with 1 % of the packets lost"""
    ages = narrow(stage, "the same, 1 % lost", rate=2e6, delay=0.05, loss=0.01)
    hold(ages)


def collapse(stage: Stage) -> None:
    """a link that breaks down from 20 Mbit/s to 100 kbit/s and comes back: what was on its way comes late, then the pictures
    are few, small and young; the monitor stays, and afterwards all is as before"""
    with stage.rig(cameras=1) as rig, link(1, rate=2e7, delay=0.02) as line:
        monitor = Monitor(rig, "On the train", [{"camera": rig.cameras[0]}], line)
        marks = []
        for rate, seconds in ((2e7, 5), (1e5, 30), (2e7, 10)):
            line.set(rate=rate)
            time.sleep(seconds)
            marks.append(time.monotonic() - monitor.began)
        seen = monitor.stop()
        assert seen["ended"] is None, f"the monitor was left: {seen['ended']}"

        def ages(first: float, last: float) -> list:
            return [p[1] * 1000 for p in seen["pictures"] if first <= p[0] <= last]

        good, bad, again = ages(0, marks[0]), ages(marks[1] - 5, marks[1]), ages(marks[2] - 5, marks[2])
        way = ages(marks[0], marks[1])
        say(f"median {statistics.median(good):.0f} ms; at 100 kbit/s at most {max(way):.0f} ms, in the end {statistics.median(bad):.0f}; "
            f"afterwards {statistics.median(again):.0f}")
        assert statistics.median(bad) <= 2500 and statistics.median(again) <= 300


def hold(ages: Ages) -> None:
    assert ages.median <= 300, f"median {ages.median:.0f} ms"
    assert ages.p95 <= 800, f"95 % within {ages.p95:.0f} ms"
    assert ages.late <= ages.early + 150, f"it grew from {ages.early:.0f} to {ages.late:.0f} ms"


def trouble(stage: Stage) -> None:
    """slow, lossy, vanished, deaf and frozen monitors cost a bounded memory, are gone within 15 s where they are dead, and
    disturb neither the recording nor who looks beside them"""
    with contextlib.ExitStack() as stack:
        rig = stack.enter_context(stage.rig(cameras=2))
        both = [{"camera": camera, "longEdge": 1920} for camera in rig.cameras]
        # A file that is large enough to be under way when its link dies.
        rig.ctl("record", "start")
        time.sleep(3)
        take = rig.ctl("record", "stop")
        path = f"/takes/{take['id']}/{take['cameras'][0]['clips'][0]['file']}"

        rig.ctl("record", "start")
        beside = Monitor(rig, "Beside", both)
        time.sleep(4)
        quiet, began = rig.resident(), time.monotonic()

        links = {name: stack.enter_context(link(number, **properties)) for number, (name, properties) in enumerate({
            "Slow": {"rate": 2e5, "delay": 0.1}, "Lossy": {"rate": 5e6, "delay": 0.03, "loss": 0.05},
            "Vanished": {"rate": 2e7, "delay": 0.01}, "Deaf": {"rate": 2e7, "delay": 0.01}}.items(), start=10)}
        monitors = {name: Monitor(rig, name, both, line) for name, line in links.items()}
        monitors["Frozen"] = Monitor(rig, "Frozen", both)
        download = subprocess.Popen(links["Vanished"].far(
            "curl", "-sk", "-o", "/dev/null", "-H", f"Authorization: Bearer {rig.pair('Downloads')}",
            f"https://{links['Vanished'].here}:{PORT}{path}"))
        token = rig.pair("Mute")
        # Who fetches a file may rest: a player pauses, a phone sleeps.
        mute = [Mute(PORT).look(token, rig.cameras) for _ in range(10)] + [Mute(PORT).get(path, rig.pair("Resting"))]
        time.sleep(1)
        asleep = time.monotonic()
        most = quiet
        while time.monotonic() - asleep < 4:
            most = max(most, rig.resident())
            time.sleep(0.1)

        # A phone that leaves the wireless network, a way that swallows what goes one way, a machine that hangs.
        links["Vanished"].set(dead="both")
        links["Deaf"].set(dead="there")
        monitors["Frozen"].signal(signal.SIGSTOP)
        died = time.monotonic()
        gone: dict = {}

        def look() -> bool:
            nonlocal most
            most = max(most, rig.resident())
            connected = {monitor["name"] for monitor in rig.ctl("monitors") if monitor.get("connected")}
            present = connected & {"Vanished", "Deaf", "Frozen", "Mute"}
            for name in {"Vanished", "Deaf", "Frozen", "Mute"} - present - set(gone):
                gone[name] = time.monotonic() - died
            return not present

        rig.until("the dead monitors were dropped", 40, look)
        say("dropped after " + ", ".join(f"{name} {seconds:.1f} s" for name, seconds in gone.items()))
        say(f"memory: {quiet / 1e6:.1f} MB before, at most {most / 1e6:.1f} MB")
        for name in ("Slow", "Lossy"):
            assert rig.is_connected(name), f"{name} was dropped, and is only slow"
        saw = {name: monitors[name].stop() for name in ("Slow", "Lossy")}
        for name, seen in saw.items():
            pictures = seen["pictures"]
            assert seen["ended"] is None, f"{name}: {seen['ended']}"
            say(f"{name}: {len(pictures)} pictures, the last {pictures[-1][1] * 1000:.0f} ms old, "
                f"median {statistics.median(p[1] for p in pictures) * 1000:.0f} ms")
        monitors["Frozen"].signal(signal.SIGKILL)
        for monitor in (monitors["Vanished"], monitors["Deaf"]):
            monitor.signal(signal.SIGKILL)
        download.kill()
        download.wait()
        for one in mute:
            one.close()

        seen = beside.stop()
        assert seen["ended"] is None, seen["ended"]
        before = Pace(seen, beside.began, beside.began + 2, began)
        during = Pace(seen, beside.began, began, time.monotonic())
        say(f"beside them: {before} before, {during} during")
        rig.ctl("record", "stop")
        verified = rig.ctl("take", "verify", "last")
        say(f"the take: {verified}")
        rig.until("the cameras slept again", 20, lambda: all(camera["state"] == "idle" for camera in rig.ctl("cameras")))
        assert most - quiet <= 20e6, f"memory grew by {(most - quiet) / 1e6:.1f} MB"
        late = {name: seconds for name, seconds in gone.items() if seconds > 15}
        assert not late, f"dropped too late: {late}"
        # The test's own processes take their share of a small machine; a sender that waits for a slow monitor takes seconds.
        assert during.rate >= before.rate / 4 and during.gap <= 2, "who looked beside them was disturbed"


class Pace:
    """Of one monitor between two moments."""

    def __init__(self, seen: dict, start: float, first: float, last: float) -> None:
        times = [start + p[0] for p in seen["pictures"] if first <= start + p[0] <= last]
        self.rate = len(times) / max(times[-1] - times[0], 0.001)
        self.gap = max(b - a for a, b in zip(times, times[1:]))

    def __str__(self) -> str:
        return f"{self.rate:.1f} pictures a second, never {self.gap * 1000:.0f} ms without"


ALL = [two_megabits, two_megabits_with_loss, collapse, trouble]
