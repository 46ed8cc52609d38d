"""As much of WebDriver over HTTP as the page's tests need; no package beside Debian's chromium and chromium-driver."""

import base64
import json
import os
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
KEYS = {"Escape": "\ue00c", "ArrowRight": "\ue014", "ArrowLeft": "\ue012", "Tab": "\ue004", "Enter": "\ue007", "ArrowUp": "\ue013"}


class Driver:
    """chromedriver. Several browsers may run on it."""

    def __init__(self, log: Path, home: str | None = None) -> None:
        environment = os.environ | ({"HOME": home} if home else {})
        with log.open("wb") as output:
            self.process = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=output,
                                            env=environment)
        for line in self.process.stdout:
            if b"started successfully on port" in line:
                self.address = f"http://127.0.0.1:{int(line.split()[-1].rstrip(b'.'))}"
                return
        raise RuntimeError("chromedriver did not start")

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(timeout=20)


class Browser:
    """One Chromium with a profile of its own."""

    def __init__(self, driver: Driver, width: int = 1280, height: int = 800, scale: float = 1, scheme: str = "dark",
                 insecure: bool = True) -> None:
        self._address = driver.address
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--mute-audio",
                     "--autoplay-policy=no-user-gesture-required", "--hide-scrollbars"]
        answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {
            "browserName": "chrome", "acceptInsecureCerts": insecure, "goog:loggingPrefs": {"browser": "ALL"},
            "goog:chromeOptions": {"args": arguments, "binary": "/usr/bin/chromium"}}}})
        self._session = f"/session/{answer['sessionId']}"
        self.resize(width, height, scale)
        self.scheme(scheme)

    def _call(self, method: str, path: str, body=None):
        request = urllib.request.Request(
            self._address + path, method=method, data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=90) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            told = json.load(error)["value"]
            raise AssertionError(f"{told['error']}: {told['message'].splitlines()[0]}") from None

    def _do(self, method: str, path: str, body=None):
        return self._call(method, self._session + path, body)

    def cdp(self, command: str, **params):
        return self._do("POST", "/goog/cdp/execute", {"cmd": command, "params": params})

    def scheme(self, name: str) -> None:
        self.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def resize(self, width: int, height: int, scale: float = 1) -> None:
        self.cdp("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=width < 600)
        if width < 600:
            self.cdp("Emulation.setTouchEmulationEnabled", enabled=True)

    def open(self, url: str) -> None:
        self._do("POST", "/url", {"url": url})

    def script(self, body: str, *arguments):
        return self._do("POST", "/execute/sync", {"script": body, "args": list(arguments)})

    def find(self, selector: str) -> str:
        """The one visible element."""
        found = self.script(
            "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility())", selector)
        assert len(found) == 1, f"{len(found)} visible elements match {selector}"
        return found[0][ELEMENT]

    def count(self, selector: str) -> int:
        return self.script(
            "return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility()).length", selector)

    def click(self, selector: str) -> None:
        self._do("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector: str, text: str) -> None:
        element = self.find(selector)
        self._do("POST", f"/element/{element}/clear", {})
        self._do("POST", f"/element/{element}/value", {"text": text})

    def press(self, key: str) -> None:
        value = KEYS.get(key, key)
        self._do("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": [
            {"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]}]})

    def drag(self, selector: str, right: int, down: int) -> None:
        """With the mouse, from the middle of the one visible element, in ten steps."""
        steps = [{"type": "pointerMove", "duration": 20, "origin": "pointer", "x": right // 10, "y": down // 10}] * 10
        self._do("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": [
            {"type": "pointerMove", "duration": 0, "origin": {ELEMENT: self.find(selector)}, "x": 0, "y": 0},
            {"type": "pointerDown", "button": 0}, *steps, {"type": "pointerUp", "button": 0}]}]})

    def accessible(self) -> list[tuple[str, str]]:
        """Role and name of everything that somebody who does not see the page finds on it."""
        nodes = self.cdp("Accessibility.getFullAXTree")["nodes"]
        return [(node["role"]["value"], node.get("name", {}).get("value", "").strip()) for node in nodes if not node["ignored"]]

    def text(self, selector: str) -> str:
        return self.script("return document.querySelector(arguments[0])?.textContent ?? ''", selector)

    def shows(self, text: str) -> bool:
        return self.script("return document.body.innerText.includes(arguments[0])", text)

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._do("GET", "/screenshot")))

    def complaints(self) -> list[str]:
        """What the browser's console had to say: errors of scripts, refusals of the content security policy."""
        return [entry["message"] for entry in self._do("POST", "/se/log", {"type": "browser"}) if entry["level"] == "SEVERE"]

    def open_tab(self) -> str:
        """A new tab in front of this one. Returns what closes it."""
        self._tab = self._do("GET", "/window")
        other = self._do("POST", "/window/new", {"type": "tab"})["handle"]
        self._do("POST", "/window", {"handle": other})
        return other

    def close_tab(self, other: str) -> None:
        self._do("POST", "/window", {"handle": other})
        self._do("DELETE", "/window")
        self._do("POST", "/window", {"handle": self._tab})

    def close(self) -> None:
        self._do("DELETE", "")


def eventually(what: str, condition, seconds: float = 30):
    """Waits until the condition gives something true, and returns that."""
    end = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"not within {seconds:.0f} s: {what}")
        time.sleep(0.1)
