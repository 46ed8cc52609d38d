#!/usr/bin/python3
"""A rig that exists only on the network: the contract of the monitor's page, with test pictures for cameras.

Prints one JSON line when it listens: {"url": …}. Each line on stdin is a command in JSON, each answered with a line:
  {"do": "pair", "role": "admin"}        → {"code": …}
  {"do": "camera", "id": …, "set": {…}}  merges into a camera (state, message, stream, …)
  {"do": "patch", "patch": {…}}          merges into the whole state (disk, problems, rig, …)
  {"do": "event", "method": …, "params": {…}}
  {"do": "skip"}                         leaves out a revision, as a rig with a fault would
  {"do": "unanswered", "on": true}       takes everything and says nothing, as a network does that is gone
  {"do": "pictures"}                     → {"pictures": [what camera.set was asked of pictures]}
  {"do": "photos"}                       → {"photos": [what photo.take was asked]}
  {"do": "previews"}                     → {"previews": how many streams of pictures run}
  {"do": "listeners"}                    → {"listeners": how many streams of sound run}
  {"do": "controls"}                     → {"controls": as in the state}
  {"do": "calls"}                        → {"calls": [methods that were asked, in order]}
"""

import argparse
import asyncio
import ctypes
import json
import math
import secrets
import struct
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

from aiohttp import WSMsgType, web

from pictures import CLIP_SECONDS, RATE, Pictures

WEB = Path(__file__).resolve().parents[2] / "Sources" / "Monitor" / "Web"
COOKIE = "camrig-mock"
POLICY = ("default-src 'self'; img-src 'self' blob: data:; media-src 'self' blob:; object-src 'none'; base-uri 'none'; "
          "form-action 'self'; frame-ancestors 'none'")
TYPES = {".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".html": "text/html"}
NAMES = ("Left", "Right", "Wide shot", "Table top", "Audience <b>back</b>")
RANKS = {"viewer": 0, "operator": 1, "admin": 2}
NEEDS = {"state.watch": 0, "rig.status": 0, "clock.ping": 0, "take.list": 0, "take.get": 0, "take.verify": 0, "monitor.list": 0, "camera.list": 0,
         "camera.select": 0, "session.get": 0, "microphone.meter": 0, "photo.list": 0, "usb.plan": 0, "timelapse.list": 0,
         "monitor.revoke": 2, "pairing.create": 2}


def name_of(index):
    return NAMES[index] if index < len(NAMES) else f"Camera {index + 1}"


def moment(at=None):
    return (at or datetime.now(timezone.utc)).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def merged(target, patch):
    if not isinstance(patch, dict):
        return patch
    result = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def control(key, identity, name, value, **more):
    return {"key": key, "id": identity, "name": name, "class": "user", "type": "integer", "value": value, "flags": []} | more


def controls():
    """As a webcam has them, with a menu that has gaps and a value that automatic exposure holds."""
    found = [
        control("zoom_absolute", 0x9A090D, "Zoom, Absolute", 100, minimum=100, maximum=500, step=1, default=100, role="zoom", **{"class": "camera"}),
        control("focus_automatic_continuous", 0x9A090C, "Focus, Automatic Continuous", True, type="boolean", default=True, role="focus-auto"),
        control("focus_absolute", 0x9A090A, "Focus, Absolute", 30, minimum=0, maximum=250, step=5, default=0, role="focus", flags=["inactive"]),
        control("auto_exposure", 0x9A0901, "Auto Exposure", 3, type="menu", items={"1": "Manual Mode", "3": "Aperture Priority Mode"}, default=3,
                role="exposure-auto"),
        control("exposure_time_absolute", 0x9A0902, "Exposure Time, Absolute", 250, minimum=3, maximum=2047, step=1, default=250,
                role="exposure", flags=["inactive"]),
        control("white_balance_temperature", 0x98091A, "White Balance Temperature", 4000, minimum=2000, maximum=6500, step=10, default=4000,
                role="white-balance"),
        control("brightness", 0x980900, "Brightness", 128, minimum=0, maximum=255, step=1, default=128, role="brightness"),
        control("power_line_frequency", 0x980918, "Power Line Frequency", 1, type="menu", items={"0": "Disabled", "1": "50 Hz", "2": "60 Hz"},
                default=2, role="power-line-frequency"),
        control("backlight_compensation", 0x98091C, "Backlight Compensation", 0, minimum=0, maximum=1, step=1, default=0),
        control("exposure_dynamic_framerate", 0x9A0903, "Exposure, Dynamic Framerate", False, type="boolean", default=False, role="keep-frame-rate"),
        control("bitmask", 0x98F902, "Bitmask", 0x2000, type="bitmask", minimum=0, maximum=0x80002000, default=0x2000),
        control("integer_64_bits", 0x98F903, "Integer 64 Bits", 0, type="integer64", minimum=-2**63, maximum=2**63 - 1, step=1, default=0),
        control("led1_mode", 0xA046D05, "LED1 Mode", 3, type="menu", items={"0": "Off", "1": "On", "2": "Blink", "3": "Auto"}, default=3),
    ]
    return {one["key"]: one for one in found}


class Code(ctypes.Structure):
    """QRcode of qrencode.h."""
    _fields_ = [("version", ctypes.c_int), ("width", ctypes.c_int), ("data", ctypes.POINTER(ctypes.c_ubyte))]


def qr_rows(text):
    """By the library that the rig has it from."""
    library = ctypes.CDLL("libqrencode.so.4")
    library.QRcode_encodeString.restype = ctypes.POINTER(Code)
    code = library.QRcode_encodeString(text.encode(), 0, 1, 2, 1)
    width, data = code.contents.width, code.contents.data
    rows = ["".join(str(data[row * width + column] & 1) for column in range(width)) for row in range(width)]
    library.QRcode_free.argtypes = [ctypes.POINTER(Code)]
    library.QRcode_free(code)
    return rows


class Refusal(Exception):
    def __init__(self, code, reason, message):
        super().__init__(message)
        self.code, self.reason = code, reason


class MockRig:
    def __init__(self, options):
        self.options = options
        self.pictures = Pictures(options.pictures, options.cameras)
        self.memory_path = options.memory
        self.memory = {"tokens": {}, "takes": [], "names": {}}
        self.shots = []
        self.lapses = []
        self.waiting = None
        if self.memory_path and self.memory_path.exists():
            self.memory = json.loads(self.memory_path.read_text())
        self.codes = {}
        self.refused = 0
        self.revision = 100
        self.watchers = {}  # WebSocket → token
        self.previews = {}  # camera → how many look
        self.listeners = 0
        self.calls = []
        self.selects = []
        self.pictures_set = []
        self.photos_asked = []
        self.unanswered = False
        self.dark = set()  # cameras that never show a picture
        self.recording_since = None
        self.version = options.version
        cameras = {}
        for index in range(options.cameras):
            camera = f"usb-046d-0825-{index + 1:04d}-00"
            cameras[camera] = self.idle(index, self.memory["names"].get(camera, name_of(index)))
        self.state = {
            "rig": {"name": "studio-rig", "version": self.version, "started": moment(), "armed": False,
                    "clockSync": "synchronised"},
            "cameras": cameras, "disk": {"freeBytes": 412_700_000_000, "secondsLeft": 22_860, "message": ""}, "problems": {},
            "monitors": {token["id"]: {"name": token["name"], "role": token["role"], "connected": False}
                         for token in self.memory["tokens"].values()},
        }
        if not options.bare:
            self.state["controls"] = {camera: controls() for camera in cameras}
            self.state["torches"] = {"key": {"name": "key", "backend": "led-class", "on": False, "level": 0, "maxLevel": 255, "message": ""},
                                     "fill": {"name": "fill", "backend": "gpio", "on": False, "level": 0, "maxLevel": 1, "message": ""}}
            self.state["microphones"] = {f"mic-{index + 1}": {
                "name": f"C920 {index + 1}", "state": "idle", "message": "", "camera": camera, "cameras": [camera], "enabled": True, "pairing": "automatic",
                "format": {"rate": 32000, "channels": 2}, "muted": False, "offsetMilliseconds": 0, "xruns": 0,
                "gain": {"minimum": 0, "maximum": 30, "step": 0.5, "value": 12, "unit": "dB"}}
                for index, camera in enumerate(list(cameras)[:2])}
            self.state["photo"] = {}
        if options.takes and not self.memory["takes"]:
            self.memory["takes"] = [self.finished(f"2026112{n}T09050{n}Z-Rehearsal", f"Rehearsal {n}",
                                                  datetime(2026, 11, 20 + n, 9, 5, n, tzinfo=timezone.utc),
                                                  125.4 * n, gap=n == 2) for n in range(3, 0, -1)]

    @staticmethod
    def idle(index, name):
        sizes = [{"size": size, "rates": ["60", "30000/1001", "15"], "ratesAreRange": False}
                 for size in ("1920x1080", "1280x720", "640x480")]
        return {
            "id": f"usb-046d-0825-{index + 1:04d}-00", "name": name, "state": "idle", "message": "", "enabled": True,
            "device": {"driver": "uvcvideo", "card": "HD Pro Webcam C920", "bus": "usb-0000:00:14.0-1",
                       "node": f"/dev/video{2 * index}", "formats": [
                           {"fourcc": "MJPG", "label": "Motion-JPEG", "pixelFormat": "MJPG", "sizes": sizes},
                           {"fourcc": "YUYV", "label": "YUYV 4:2:2", "pixelFormat": "YUYV",
                            "sizes": [{"size": "640x480", "rates": ["30"], "ratesAreRange": False}]},
                           {"fourcc": "0x494c4552", "label": "Vendor", "sizes": sizes}]},
            "sharesSerialWith": [], "port": f"pci-0000:00:14.0-usb-0:{index + 1}:1.0", "serial": f"{index + 1:04d}",
            "wish": {"size": "1280x720"}, "lastSeen": moment(),
        }

    # State

    def change(self, patch):
        self.state = merged(self.state, patch)
        self.revision += 1
        self.tell("state.changed", {"revision": self.revision, "patch": patch})

    def tell(self, method, params):
        if self.unanswered:
            return
        text = json.dumps({"jsonrpc": "2.0", "method": method, "params": params})
        for socket in list(self.watchers):
            asyncio.ensure_future(self.send(socket, text))

    @staticmethod
    async def send(socket, text):
        try:
            await socket.send_str(text)
        except (ConnectionError, RuntimeError):
            pass

    def camera(self, reference):
        for key, camera in self.state["cameras"].items():
            if reference in (key, camera["name"]):
                return key
        raise Refusal(2001, "camera.unknown", f"There is no camera \"{reference}\".")

    def index(self, camera):
        return list(self.state["cameras"]).index(camera)

    async def stream_wanted(self, camera):
        """A camera starts for whoever looks, as the rig's does."""
        if self.state["cameras"][camera]["state"] == "idle":
            self.change({"cameras": {camera: {"state": "starting"}}})
            # Whoever asked may go away meanwhile; the camera starts all the same.
            await asyncio.shield(asyncio.ensure_future(self.started(camera)))

    async def started(self, camera):
        await asyncio.sleep(0.2)
        if self.state["cameras"][camera]["state"] == "starting":
            self.change({"cameras": {camera: {
                "state": "streaming",
                "granted": {"pixelFormat": "MJPG", "size": "1280x720", "rate": str(RATE), "bytesPerLine": 0},
                "stream": {"frames": 1, "lost": {}, "measuredRate": RATE * 0.998, "oddities": {}}}}})

    # HTTP

    def token_of(self, request):
        return self.memory["tokens"].get(request.cookies.get(COOKIE, ""))

    def session(self, token):
        rig = {"id": "MOCK", "name": "studio-rig", "version": self.version,
               "fingerprint": "sha256:5f1e0c9a77d241b88e6093af2d14c6e70b58f9a31c4d6e82a7f035bc9d2148e6"}
        if not token:
            return {"paired": False, "rig": rig}
        return {"paired": True, "role": token["role"], "monitor": {"id": token["id"], "name": token["name"]}, "rig": rig}

    async def get_session(self, request):
        return web.json_response(self.session(self.token_of(request)))

    async def post_pair(self, request):
        asked = await request.json()
        role = self.codes.pop(asked["code"], None)
        if role is None:
            self.refused += 1
            if self.refused > 4:
                return web.json_response({"error": "Too many wrong codes. Wait half a minute."}, status=429,
                                         headers={"Retry-After": "30"})
            return web.json_response({"error": "This code is wrong, used or expired. Make a new one with: camrigctl pair"},
                                     status=403)
        secret, identity = secrets.token_hex(16), secrets.token_hex(4)
        self.memory["tokens"][secret] = {"id": identity, "name": asked["name"], "role": role}
        self.save()
        self.change({"monitors": {identity: {"name": asked["name"], "role": role, "connected": False}}})
        answer = web.json_response(self.session(self.memory["tokens"][secret]))
        answer.set_cookie(COOKIE, secret, httponly=True, samesite="Lax", path="/", max_age=10**7)
        return answer

    async def post_unpair(self, request):
        self.forget(self.token_of(request)["id"])
        answer = web.Response(status=204)
        answer.del_cookie(COOKIE)
        return answer

    def forget(self, identity):
        self.memory["tokens"] = {secret: token for secret, token in self.memory["tokens"].items() if token["id"] != identity}
        self.save()
        self.change({"monitors": {identity: None}})
        for socket, token in list(self.watchers.items()):
            if token["id"] == identity:
                asyncio.ensure_future(socket.close(code=4001))

    def save(self):
        if self.memory_path:
            self.memory_path.write_text(json.dumps(self.memory))

    async def get_asset(self, request):
        path = WEB / request.match_info.get("name", "index.html")
        if path.parent != WEB or not path.is_file():
            raise web.HTTPNotFound()
        return web.Response(body=path.read_bytes(), content_type=TYPES[path.suffix])

    async def get_certificate(self, _request):
        return web.Response(body=b"not a certificate", content_type="application/x-x509-ca-cert")

    async def get_clip(self, request):
        _, clip = self.clip(request)
        headers = {}
        if "download" in request.query:
            headers["Content-Disposition"] = f'attachment; filename="{clip["file"]}"'
        suffix = clip["file"][-4:]
        headers["Content-Type"] = "video/mp4" if suffix == ".mp4" else "video/quicktime"
        return web.FileResponse(self.pictures.folder / f"clip{suffix}", headers=headers)

    async def get_frames(self, request):
        camera, clip = self.clip(request)
        at = float(request.query.get("from", 0))
        answer = web.StreamResponse(headers={"Content-Type": "multipart/x-mixed-replace; boundary=frame"})
        await answer.prepare(request)
        try:
            for number in range(int(at * RATE), int(clip["durationSeconds"] * RATE)):
                jpeg = self.pictures.jpeg(self.index(camera), 640, number)
                head = f"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {len(jpeg)}\r\n\r\n"
                await answer.write(head.encode() + jpeg + b"\r\n")
                await asyncio.sleep(1 / RATE)
            await answer.write(b"--frame--\r\n")
        except ConnectionError:
            pass  # The page has let go of it.
        return answer

    def clip(self, request):
        for take in self.memory["takes"]:
            if take["id"] != request.match_info["take"]:
                continue
            for camera in take["cameras"]:
                for clip in camera["clips"]:
                    if clip["file"] == request.match_info["file"]:
                        return camera["id"], clip
        raise web.HTTPNotFound()

    @web.middleware
    async def guard(self, request, handler):
        open_to_all = request.path in ("/", "/session", "/pair", "/ca.crt") or request.path.startswith("/assets/")
        if not open_to_all and not self.token_of(request):
            return web.json_response({"error": "This monitor is not paired."}, status=401)
        return await handler(request)

    # Control

    async def monitor(self, request):
        token = self.token_of(request)
        socket = web.WebSocketResponse(protocols=["camrig.monitor.v1"], heartbeat=5)
        await socket.prepare(request)
        self.change({"monitors": {token["id"]: {"connected": True}}})
        try:
            async for message in socket:
                if message.type == WSMsgType.TEXT and not self.unanswered:
                    asyncio.ensure_future(self.answer(socket, token, json.loads(message.data)))
        finally:
            self.watchers.pop(socket, None)
            still = any(other["id"] == token["id"] for other in self.watchers.values())
            if token["id"] in self.state["monitors"]:
                self.change({"monitors": {token["id"]: {"connected": still}}})
        return socket

    async def post_rpc(self, request):
        return web.json_response(await self.reply(None, self.token_of(request), await request.json()))

    async def answer(self, socket, token, request):
        await self.send(socket, json.dumps(await self.reply(socket, token, request)))

    async def reply(self, socket, token, request):
        method, params = request["method"], request.get("params", {})
        self.calls.append(method)
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            if RANKS[token["role"]] < NEEDS.get(method, 1):
                raise Refusal(1008, "role.forbidden", f"A {token['role']} may not do this.")
            if method == "state.watch":
                reply["result"] = {"revision": self.revision, "state": self.state}
                self.watchers[socket] = token
            else:
                handler = getattr(self, "do_" + method.replace(".", "_"), None)
                if not handler:
                    raise Refusal(-32601, "method.unknown", f"There is no method {method}.")
                reply["result"] = await handler(params)
        except Refusal as refusal:
            reply["error"] = {"code": refusal.code, "message": str(refusal), "data": {"reason": refusal.reason}}
        return reply

    async def do_clock_ping(self, params):
        return {"t": params["t"], "wall": moment()}

    async def do_monitor_revoke(self, params):
        self.forget(params["monitor"])
        return {}

    async def do_pairing_create(self, params):
        code = self.new_code(params.get("role", "operator"))
        urls = [f"{host}/#code={code.replace(' ', '')}" for host in (self.url, "https://studio-rig.local:8470")]
        return {"code": code, "expiresSeconds": 600, "role": params.get("role", "operator"), "fingerprint": "",
                "urls": urls, "qrCodes": [qr_rows(url) for url in urls]}

    def new_code(self, role):
        digits = "".join(secrets.choice("0123456789") for _ in range(8))
        code = f"{digits[:4]} {digits[4:]}"
        self.codes[code] = role
        return code

    async def do_camera_select(self, params):
        if "camera" not in params:
            return {}
        camera = self.camera(params["camera"])
        self.selects.append(camera)
        if camera in self.dark:
            await asyncio.sleep(0.3)
            name = self.state["cameras"][camera]["name"]
            raise Refusal(2006, "camera.silent", f"{name} has sent no picture within 4 s.")
        await self.stream_wanted(camera)
        return {"camera": self.state["cameras"][camera]}

    async def do_camera_rename(self, params):
        camera, name = self.camera(params["camera"]), params["name"]
        if any(other["name"] == name for key, other in self.state["cameras"].items() if key != camera):
            raise Refusal(2007, "camera.name-taken", f"Another camera is called {name}. Choose another name.")
        self.memory["names"][camera] = name
        self.save()
        self.change({"cameras": {camera: {"name": name}}})
        return self.state["cameras"][camera]

    async def do_camera_set(self, params):
        camera = self.camera(params["camera"])
        wish = {{"format": "pixelFormat"}.get(key, key): params[key] for key in ("format", "size", "rate") if key in params}
        wish |= {{"format": "pixelFormat"}.get(key, key): None for key in params.get("reset", [])}
        patch = {"wish": wish}
        if "picture" in params:
            if camera in self.state.get("recording", {}).get("cameras", {}):
                raise Refusal(3103, "recording.running", "The camera is being recorded. Stop the take first.")
            if "pictureRefusal" in self.state["cameras"][camera]:
                raise Refusal(2011, "camera.picture", self.state["cameras"][camera]["pictureRefusal"])
            await asyncio.sleep(0.03)
            whole = {"mirror": False, "rotate": 0, "zoom": 1, "x": 0.5, "y": 0.5}
            picture = whole | self.state["cameras"][camera].get("picture", {}) | params["picture"]
            patch["delivered"] = {"size": "720x1280"} if picture["rotate"] % 180 else None
            patch["picture"] = {key: None if value == whole[key] else value for key, value in picture.items()} if picture != whole else None
            self.pictures_set.append(params["picture"])
        self.change({"cameras": {camera: patch}})
        return self.state["cameras"][camera]

    async def do_camera_enable(self, params):
        return self.enabled(params, True)

    async def do_camera_disable(self, params):
        return self.enabled(params, False)

    def enabled(self, params, is_enabled):
        camera = self.camera(params["camera"])
        patch = {"enabled": is_enabled, "state": "idle" if is_enabled else "disabled"}
        self.change({"cameras": {camera: patch | {"granted": None, "stream": None}}})
        return self.state["cameras"][camera]

    async def do_camera_forget(self, params):
        self.change({"cameras": {self.camera(params["camera"]): None}})
        return {}

    async def do_recording_arm(self, params):
        self.change({"rig": {"armed": params["armed"]}})
        return {}

    # Takes

    async def do_rig_status(self, _params):
        """Of the status what the page asks it for."""
        if self.recording_since is None:
            return {}
        return {"recording": {"take": self.state["recording"]["take"], "seconds": time.monotonic() - self.recording_since}}

    async def do_recording_start(self, params):
        recording = self.state.get("recording")
        usable = {key: camera for key, camera in self.state["cameras"].items()
                  if camera["state"] in ("idle", "starting", "streaming", "stalled")}
        if recording is None:
            if not usable:
                raise Refusal(2010, "camera.none", "There is no camera to record. Plug one in.")
            for camera in usable:
                await self.stream_wanted(camera)
            now = datetime.now(timezone.utc)
            self.take_start = now
            name = params.get("name")
            identity = now.strftime("%Y%m%dT%H%M%SZ") + (f"-{name}" if name else "")
            self.recording_since = time.monotonic()
            recording = {"take": identity, "started": moment(now), "stopping": False, "cameras": {
                key: {"camera": key, "name": camera["name"], "clips": 1, "frames": 0, "bytes": 0, "lost": 0, "inGap": False}
                for key, camera in usable.items()}}
            if name:
                recording["name"] = name
            self.change({"recording": recording})
            self.tell("recording.started", {"take": identity, "cameras": [], "alreadyRunning": False})
            asyncio.ensure_future(self.progress(identity))
        return {"take": recording["take"], "alreadyRunning": False, "folder": "/var/lib/camrig/takes",
                "cameras": [{"id": key, "name": camera["name"]} if key in usable else
                            {"id": key, "name": camera["name"], "problem": camera["message"] or "It is not plugged in."}
                            for key, camera in self.state["cameras"].items() if camera["state"] != "disabled"]}

    async def progress(self, take):
        while self.state.get("recording", {}).get("take") == take:
            await asyncio.sleep(1)
            recording = self.state.get("recording")
            if recording is None or recording["take"] != take:
                return
            cameras = {}
            for key, part in recording["cameras"].items():
                gap = self.state["cameras"][key]["state"] != "streaming"
                cameras[key] = {"inGap": gap, "frames": part["frames"] + (0 if gap else RATE)}
            left = self.state["disk"].get("secondsLeft", 9000) - 1
            self.change({"recording": {"cameras": cameras}, "disk": {"secondsLeft": left}})

    async def do_recording_stop(self, _params):
        recording = self.state.get("recording")
        if recording is None:
            raise Refusal(3101, "take.unknown", "Nothing is being recorded and there is no take.")
        self.change({"recording": {"stopping": True}})
        await asyncio.sleep(0.3)
        seconds = time.monotonic() - self.recording_since
        take = self.finished(recording["take"], recording.get("name"), self.take_start, min(seconds, CLIP_SECONDS),
                             recording["cameras"])
        self.memory["takes"].insert(0, take)
        self.save()
        self.recording_since = None
        self.change({"recording": None})
        self.tell("recording.stopped", take)
        return take

    def finished(self, identity, name, start, seconds, parts=None, gap=False):
        """Every other camera delivered H.264, the others MJPEG."""
        cameras = []
        for index, (key, camera) in enumerate(self.state["cameras"].items()):
            if parts is not None and key not in parts:
                continue
            suffix = ".mov" if index % 2 == 0 else ".mp4"
            clip_format = {"pixelFormat": "MJPG" if index % 2 == 0 else "H264", "size": "1280x720", "rate": str(RATE),
                           "bytesPerLine": 0}
            word = "".join(c if c.isalnum() else "-" for c in camera["name"]).strip("-")
            count = 2 if gap and index == 0 else 1
            clips = [{"file": f"{word}-{n + 1:03d}{suffix}", "number": n + 1, "state": "finished", "format": clip_format,
                      "frames": int(seconds * RATE), "bytes": int(seconds * 6.1e6), "fragments": 3,
                      "durationSeconds": seconds / count} for n in range(count)]
            record = {"id": key, "name": camera["name"], "format": clip_format, "clips": clips, "gaps": [], "runs": [],
                      "lost": {"driverGap": 3} if gap and index == 0 else {}, "losses": [], "tail": []}
            if gap and index == 0:
                record["gaps"] = [{"reason": "unplugged", "from": 1, "to": 2, "fromWall": moment(start + timedelta(seconds=62)),
                                   "toWall": moment(start + timedelta(seconds=65))}]
            cameras.append(record)
        take = {"layout": 1, "id": identity, "state": "finished", "cameras": cameras, "versions": {"camrig": self.version},
                "start": {"media": 1, "sync": "synchronised", "wall": moment(start)},
                "stop": {"cause": "requested", "message": "Stopped by an operator."}}
        if name:
            take["name"] = name
        return take

    async def do_take_list(self, _params):
        takes = [self.summary(take) for take in self.memory["takes"]]
        recording = self.state.get("recording")
        if recording:
            running = {"id": recording["take"], "state": "recording", "start": recording["started"], "durationSeconds": 0,
                       "cameras": len(recording["cameras"]), "clips": len(recording["cameras"]), "bytes": 0, "lost": 0}
            if "name" in recording:
                running["name"] = recording["name"]
            takes.insert(0, running)
        return takes

    @staticmethod
    def summary(take):
        clips = [clip for camera in take["cameras"] for clip in camera["clips"]]
        summary = {"id": take["id"], "state": take["state"], "start": take["start"]["wall"],
                   "durationSeconds": sum(clip["durationSeconds"] for clip in take["cameras"][0]["clips"]),
                   "cameras": len(take["cameras"]), "clips": len(clips), "bytes": sum(clip["bytes"] for clip in clips),
                   "lost": sum(sum(camera["lost"].values()) for camera in take["cameras"])}
        if "name" in take:
            summary["name"] = take["name"]
        return summary

    async def do_take_get(self, params):
        for take in self.memory["takes"]:
            if take["id"] == params["take"]:
                return take
        raise Refusal(3101, "take.unknown", f"There is no take {params['take']}.")

    async def do_take_verify(self, params):
        take = await self.do_take_get(params)
        cameras = [{"id": camera["id"], "written": sum(clip["frames"] for clip in camera["clips"])} for camera in take["cameras"]]
        return {"take": take["id"], "exact": True, "findings": [], "cameras": cameras}

    # Pictures

    async def media(self, request):
        socket = web.WebSocketResponse(protocols=["camrig.media.v1"], heartbeat=5)
        await socket.prepare(request)
        streams = {}
        try:
            async for message in socket:
                if message.type != WSMsgType.TEXT:
                    continue
                said = json.loads(message.data)
                params = said["params"]
                number = params["stream"]
                if said["method"] == "sound.start":
                    streams[number] = stream = {"credit": params["credit"], "sent": 0, "shown": 0}
                    stream["task"] = asyncio.ensure_future(self.sound(socket, number, stream))
                elif said["method"] == "preview.start":
                    known = streams.get(number)
                    if known:
                        known["form"] = params
                    else:
                        streams[number] = stream = {"form": params, "credit": params["credit"], "sent": 0, "shown": 0}
                        stream["task"] = asyncio.ensure_future(self.preview(socket, number, stream))
                elif number in streams and said["method"] in ("preview.credit", "sound.credit"):
                    streams[number]["shown"] = max(streams[number]["shown"], params["sequence"] + 1)
                elif number in streams and said["method"] in ("preview.stop", "sound.stop"):
                    streams.pop(number)["task"].cancel()
        finally:
            for stream in streams.values():
                stream["task"].cancel()
        return socket

    async def preview(self, socket, number, stream):
        camera = self.camera(stream["form"]["camera"])
        self.previews[camera] = self.previews.get(camera, 0) + 1
        try:
            await self.stream_wanted(camera)
            skipped, due = 0, time.monotonic()
            while not socket.closed:
                rate = min(RATE, float(stream["form"].get("rate", RATE)))
                due = max(due + 1 / rate, time.monotonic())
                await asyncio.sleep(due - time.monotonic())
                if self.state["cameras"].get(camera, {}).get("state") != "streaming" or self.unanswered:
                    continue
                if stream["sent"] - stream["shown"] >= stream["credit"]:
                    skipped += 1
                    continue
                turned = self.state["cameras"][camera].get("picture", {}).get("rotate", 0) % 180 != 0
                jpeg = self.pictures.jpeg(self.index(camera), stream["form"]["longEdge"], int(time.monotonic() * RATE), turned)
                head = struct.pack("<BBHIQqHHHH", 1, 1, 0, number, stream["sent"], int(time.monotonic() * 1e6), 0, 0, skipped, 0)
                stream["sent"] += 1
                skipped = 0
                await socket.send_bytes(head + jpeg)
        except (ConnectionError, RuntimeError):
            pass
        finally:
            self.previews[camera] -= 1

    async def sound(self, socket, number, stream):
        """Stereo: 1 kHz in the first tenth of each second, as a test pattern's microphone beeps."""
        self.listeners += 1
        tone = [round(8192 * math.sin(2 * math.pi * frame / 48)) for frame in range(960)]
        beep = struct.pack("<1920h", *(value for value in tone for _ in range(2)))
        try:
            skipped, due = 0, time.monotonic()
            while not socket.closed:
                due += 0.02
                await asyncio.sleep(max(0, due - time.monotonic()))
                if stream["sent"] - stream["shown"] >= stream["credit"] or self.unanswered:
                    skipped += 1
                    continue
                head = struct.pack("<BBHIQqHHHH", 2, 1, 0, number, stream["sent"], int(due * 1e6), 2, 960, skipped, 0)
                stream["sent"] += 1
                skipped = 0
                await socket.send_bytes(head + (beep if due % 1 < 0.1 else bytes(3840)))
        except (ConnectionError, RuntimeError):
            pass
        finally:
            self.listeners -= 1

    # What a camera can do beside pictures

    async def do_control_set(self, params):
        camera = self.camera(params["camera"])
        granted = {}
        for key, value in params["values"].items():
            if key == "keep-frame-rate":
                key, value = "exposure_dynamic_framerate", not value
            known = self.state["controls"][camera][key]
            if "inactive" in known["flags"]:
                return {"granted": {}, "refused": {key: f"{known['name']} is set by the camera."}}
            if known["type"] == "integer":
                value = max(known["minimum"], min(known["maximum"], value // known["step"] * known["step"]))
            if known["type"] in ("bitmask", "integer64"):
                try:
                    value = int(value, 16 if value.lower().startswith("0x") else 10) if isinstance(value, str) else value
                except ValueError:
                    return {"granted": {}, "refused": {key: f"{key} takes a whole number."}}
                if known["type"] == "bitmask" and value & ~known["maximum"]:
                    return {"granted": {}, "refused": {key: f"{key} has only the bits of {known['maximum']:#x}."}}
            granted[key] = value
            patch = {key: {"value": value}}
            if key == "auto_exposure":
                patch["exposure_time_absolute"] = {"flags": [] if value == 1 else ["inactive"]}
            await asyncio.sleep(0.03)
            self.change({"controls": {camera: patch}})
        return {"granted": granted, "refused": {}}

    async def do_usb_plan(self, params):
        """A bus for all of them, on which a million pixels take two thirds."""
        used, found = 0, []
        for wish in params["cameras"]:
            known = self.state["cameras"][wish["camera"]]
            width, height = wish.get("size", known["wish"].get("size", "640x480")).split("x")
            percent = int(width) * int(height) // 15_000
            found.append({"camera": wish["camera"], "name": known["name"], "percent": percent, "fits": used + percent <= 100})
            used += percent
        return {"buses": [{"bus": 1, "megabits": 480, "percent": used, "fits": used <= 100, "cameras": found,
                           "advice": [] if used <= 100 else ["Choose a smaller size or rate for one of them."]}]}

    async def do_control_reset(self, params):
        camera = self.camera(params["camera"])
        values = {key: known["default"] for key, known in self.state["controls"][camera].items()}
        self.change({"controls": {camera: {key: {"value": value} for key, value in values.items()}}})
        return {"granted": values, "refused": {}}

    async def do_torch_set(self, params):
        known = self.state["torches"][params["torch"]]
        level = params.get("level", known["maxLevel"] if params.get("on") else 0)
        self.change({"torches": {params["torch"]: {"level": level, "on": level > 0}}})
        return self.state["torches"][params["torch"]] | {"id": params["torch"]}

    async def do_microphone_set(self, params):
        patch = {key: params[key] for key in ("muted", "offsetMilliseconds", "name") if key in params}
        if "gain" in params:
            patch["gain"] = {"value": params["gain"]}
        if "enabled" in params:
            patch |= {"enabled": True, "state": "idle", "message": ""} if params["enabled"] else {
                "enabled": False, "state": "disabled", "message": "Its user has switched it off. Use it again with: camrigctl mics set"}
        if params.get("camera") == "auto":
            own = list(self.state["cameras"])[list(self.state["microphones"]).index(params["microphone"])]
            patch |= {"camera": own, "cameras": [own], "pairing": "automatic"}
        elif "cameras" in params:
            chosen = sorted(self.camera(one) for one in params["cameras"])
            patch |= {"cameras": chosen, "camera": chosen[0] if chosen else None, "pairing": "chosen" if chosen else "off"}
        self.change({"microphones": {params["microphone"]: patch}})
        return self.state["microphones"][params["microphone"]] | {"id": params["microphone"]}

    async def do_microphone_meter(self, params):
        self.is_metering = params["on"]
        if params["on"] and not getattr(self, "meter_task", None):
            self.meter_task = asyncio.ensure_future(self.meter())
        return {}

    async def meter(self):
        number = 0
        while self.is_metering:
            number += 1
            peak = -30 + 27 * abs((number % 20) / 10 - 1)
            self.tell("microphone.levels", {"microphones": {key: {"peak": [peak, peak - 4], "rms": [peak - 9, peak - 12]}
                                                            for key in self.state["microphones"]}})
            await asyncio.sleep(0.1)
        self.meter_task = None

    async def do_photo_take(self, params):
        self.photos_asked.append(params)
        cameras = [self.camera(one) for one in params.get("cameras", self.state["cameras"])]
        shot = datetime.now(timezone.utc).strftime("%Y%m%dT%H%M%S%fZ")
        more = {"flash": True} if params.get("flash") == "on" else {}
        self.waiting = asyncio.ensure_future(self.shoot(shot, cameras, params.get("timerSeconds", 0), params.get("count", 1), more))
        return {"shot": shot, "cameras": cameras, "at": moment()}

    async def shoot(self, shot, cameras, timer, number, more):
        try:
            if timer:
                self.change({"photo": {"countdown": {"shot": shot, "at": moment(), "seconds": timer}}})
            for left in range(timer, 0, -1):
                self.tell("photo.countdown", {"shot": shot, "secondsLeft": left})
                await asyncio.sleep(1)
            self.change({"photo": {"countdown": None}})
        except asyncio.CancelledError:
            self.change({"photo": {"countdown": None}})
            return
        if "recording" in self.state:
            more = more | {"take": self.state["recording"]["take"]}
        for taken in range(number):
            photos = [{"camera": camera, "cameraName": self.state["cameras"][camera]["name"], "file": f"{index}-{taken}.jpg",
                       "bytes": 200_000, "width": 1280, "height": 720} | more for index, camera in enumerate(cameras)]
            known = next((one for one in self.shots if one["shot"] == shot), None)
            if known:
                known["photos"] += photos
            else:
                self.shots.insert(0, {"shot": shot, "at": moment(), "photos": photos})
            for photo in photos:
                self.tell("photo.taken", {"shot": shot, "camera": photo["camera"], "file": photo["file"]})
            await asyncio.sleep(0.1)

    async def do_photo_cancel(self, _params):
        if self.waiting:
            self.waiting.cancel()
        return {}

    async def do_photo_list(self, _params):
        return self.shots

    async def do_timelapse_list(self, _params):
        return self.lapses

    async def do_timelapse_start(self, params):
        self.change({"timelapse": {"id": "lapse-1", "intervalSeconds": params["intervalSeconds"], "pictures": 3, "next": moment(),
                                       "cameras": {self.camera(one): {} for one in params.get("cameras", self.state["cameras"])}}})
        self.tell("timelapse.started", {"timelapse": "lapse-1"})
        return {"timelapse": "lapse-1"}

    async def do_timelapse_stop(self, _params):
        running = self.state["timelapse"]
        self.lapses.insert(0, {"timelapse": running["id"], "at": moment(), "intervalSeconds": running["intervalSeconds"],
                               "state": "stopped", "message": "Stopped.", "cameras": [
                                   {"camera": key, "cameraName": camera["name"], "pictures": running["pictures"], "missed": 0}
                                   for key, camera in self.state["cameras"].items() if key in running["cameras"]]})
        self.change({"timelapse": None})
        self.tell("timelapse.stopped", {"timelapse": running["id"]})
        return {}

    async def do_timelapse_movie(self, params):
        return {"timelapse": params["timelapse"], "movies": [
            {"camera": camera["camera"], "cameraName": camera["cameraName"], "file": "left.mov", "bytes": 1_000_000}
            for camera in self.lapses[0]["cameras"]]}

    async def get_photo(self, request):
        camera, number = request.match_info["file"].removesuffix(".jpg").split("-")
        headers = {}
        if "download" in request.query:
            headers["Content-Disposition"] = f'attachment; filename="{request.match_info["file"]}"'
        return web.Response(body=self.pictures.jpeg(int(camera), 640, int(number)), content_type="image/jpeg", headers=headers)

    # Commands of the test

    def command(self, asked):
        match asked["do"]:
            case "pair":
                return {"code": self.new_code(asked["role"])}
            case "camera":
                self.change({"cameras": {asked["id"]: asked["set"]}})
            case "patch":
                self.change(asked["patch"])
            case "event":
                self.tell(asked["method"], asked["params"])
            case "skip":
                self.revision += 1
            case "unanswered":
                self.unanswered = asked["on"]
            case "dark":
                self.dark.add(asked["id"])
            case "selects":
                return {"selects": self.selects}
            case "listeners":
                return {"listeners": self.listeners}
            case "pictures":
                return {"pictures": self.pictures_set}
            case "photos":
                return {"photos": self.photos_asked}
            case "previews":
                return {"previews": sum(self.previews.values())}
            case "calls":
                return {"calls": self.calls}
            case "controls":
                return {"controls": self.state["controls"]}
        return {}

    async def listen(self):
        application = web.Application(middlewares=[self.guard])
        application.on_response_prepare.append(self.secure)
        application.add_routes([
            web.get("/", self.get_asset), web.get("/assets/{name}", self.get_asset), web.get("/ca.crt", self.get_certificate),
            web.get("/session", self.get_session), web.post("/pair", self.post_pair), web.post("/unpair", self.post_unpair),
            web.post("/rpc", self.post_rpc), web.get("/monitor", self.monitor), web.get("/monitor/media", self.media),
            web.get("/takes/{take}/{file}/frames", self.get_frames), web.get("/takes/{take}/{file}", self.get_clip), web.get("/shots/{shot}/{file}", self.get_photo),
        ])
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", self.options.port, reuse_address=True)
        await site.start()
        self.url = f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}"
        print(json.dumps({"url": self.url}), flush=True)
        lines = asyncio.StreamReader()
        await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
        while line := await lines.readline():
            print(json.dumps(self.command(json.loads(line))), flush=True)

    @staticmethod
    async def secure(_request, response):
        response.headers["Content-Security-Policy"] = POLICY
        response.headers["Cache-Control"] = "no-cache"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--cameras", type=int, default=2)
    parser.add_argument("--takes", action="store_true", help="with some takes from the beginning")
    parser.add_argument("--bare", action="store_true", help="cameras and nothing else: no controls, photos, torches, microphones")
    parser.add_argument("--memory", type=Path, help="keeps tokens and takes over a restart")
    parser.add_argument("--pictures", type=Path, required=True, help="where the test pictures are, or shall be made")
    parser.add_argument("--version", default="0.1.0")
    asyncio.run(MockRig(parser.parse_args()).listen())


if __name__ == "__main__":
    main()
