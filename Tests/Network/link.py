"""A network link of our own: two TUN devices, and between them a process that carries the packets from one to the other
as slowly, as late, and as seldom as it is told. What TCP makes of that is the kernel's own TCP.

    link.py DEVICE_A DEVICE_B        (inherited descriptors; commands by standard input, one JSON text a line)

`{"rate": bits a second or null, "delay": seconds each way, "loss": share of packets, "queue": seconds that a packet may
wait at most, "dead": "both" or "there": nothing passes any more, or nothing to the far end}`; what is not said stays. It
answers each with a line.
"""

import collections
import fcntl
import json
import os
import random
import select
import struct
import subprocess
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN, IFF_NO_PI = 1, 0x1000


class Way:
    """One direction: a queue before the slow part, then a pipe of a fixed length."""

    def __init__(self, into: int, seed: int, dead: tuple) -> None:
        self.into, self.dead = into, dead
        self.random = random.Random(seed)
        self.pipe = collections.deque()
        self.free_at = 0.0

    def take(self, packet: bytes, now: float, link: dict) -> None:
        if link["dead"] in self.dead or self.random.random() < link["loss"]:
            return
        begin = max(now, self.free_at)
        if begin - now > link["queue"]:
            return
        self.free_at = begin + (len(packet) * 8 / link["rate"] if link["rate"] else 0)
        self.pipe.append((self.free_at + link["delay"], packet))

    def deliver(self, now: float, link: dict) -> None:
        while self.pipe and self.pipe[0][0] <= now:
            _, packet = self.pipe.popleft()
            if link["dead"] in self.dead:
                continue
            try:
                os.write(self.into, packet)
            except OSError:
                pass  # the device is down, as a cable can be


def carry(a: int, b: int) -> None:
    link = {"rate": None, "delay": 0.0, "loss": 0.0, "queue": 0.25, "dead": ""}
    ways = {a: Way(b, 1, ("both", "there")), b: Way(a, 2, ("both",))}
    commands = b""
    for descriptor in (a, b, 0):
        os.set_blocking(descriptor, False)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(10))  # late packets would be the machine's, not the link's
    except OSError:
        pass
    while True:
        due = min((way.pipe[0][0] for way in ways.values() if way.pipe), default=None)
        wait = None if due is None else max(0.0, due - time.monotonic())
        ready, _, _ = select.select([a, b, 0], [], [], wait)
        now = time.monotonic()
        for descriptor in ready:
            if descriptor == 0:
                piece = os.read(0, 65536)
                if not piece:
                    return
                *lines, commands = (commands + piece).split(b"\n")
                for line in lines:
                    link |= json.loads(line)
                    print("ok", flush=True)
                continue
            for _ in range(64):
                try:
                    ways[descriptor].take(os.read(descriptor, 65536), now, link)
                except BlockingIOError:
                    break
        for way in ways.values():
            way.deliver(time.monotonic(), link)


def make_device(name: str) -> int:
    descriptor = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(descriptor, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return descriptor


class Link:
    """Between this network namespace and one of its own at the far end, where monitors are started."""

    def __init__(self, number: int, **properties) -> None:
        self.here, self.there = f"10.77.{number}.1", f"10.77.{number}.2"
        near, far = f"near{number}", f"far{number}"
        self._far_end = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        self._pid = str(self._far_end.pid)
        own = os.readlink("/proc/self/ns/net")
        while os.readlink(f"/proc/{self._pid}/ns/net") == own:
            time.sleep(0.01)
        devices = [make_device(near), make_device(far)]
        self._carrier = subprocess.Popen([sys.executable, __file__, *map(str, devices)], stdin=subprocess.PIPE,
                                         stdout=subprocess.PIPE, text=True, pass_fds=devices)
        for device in devices:
            os.close(device)
        self._do("ip", "link", "set", far, "netns", self._pid)
        self._do("ip", "address", "add", self.here, "peer", self.there, "dev", near)
        self._do("ip", "link", "set", near, "up")
        for words in (["address", "add", self.there, "peer", self.here, "dev", far], ["link", "set", far, "up"],
                      ["link", "set", "lo", "up"]):
            self._do(*self.far("ip", *words))
        self.set(**properties)

    @staticmethod
    def _do(*words: str) -> None:
        subprocess.run(words, check=True, timeout=20)

    def far(self, *words: str) -> list:
        """The command that runs those words at the far end."""
        return ["nsenter", "-t", self._pid, "-n", *words]

    def set(self, **properties) -> None:
        self._carrier.stdin.write(json.dumps(properties) + "\n")
        self._carrier.stdin.flush()
        assert self._carrier.stdout.readline() == "ok\n", "the link has ended"

    def close(self) -> None:
        self._carrier.stdin.close()
        self._carrier.wait(timeout=20)
        self._far_end.kill()
        self._far_end.wait(timeout=20)


if __name__ == "__main__":
    carry(int(sys.argv[1]), int(sys.argv[2]))
