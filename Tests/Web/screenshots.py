#!/usr/bin/python3
"""Screenshots of the page against the mock, for whoever judges its looks: screenshots.py OUTPUT_FOLDER [NAME-PART …]"""

import sys
import time
from pathlib import Path

from rigs import MockRig
from webdriver import Browser, Driver, eventually

SIZES = {"phone": (360, 740, 2), "laptop": (1280, 800, 1), "desktop": (1920, 1080, 1), "side": (740, 360, 2), "zoomed": (640, 400, 2)}
LEFT, RIGHT = "usb-046d-0825-0001-00", "usb-046d-0825-0002-00"


class Album:
    def __init__(self, folder: Path, wanted: list[str]) -> None:
        self.folder = folder
        self.wanted = wanted
        folder.mkdir(parents=True, exist_ok=True)
        self.driver = Driver(folder / "chromedriver.log")

    def take(self, browser: Browser, name: str, sizes=("phone", "laptop", "desktop")) -> None:
        for size in sizes:
            full = f"{name}-{size}"
            if self.wanted and not any(part in full for part in self.wanted):
                continue
            browser.resize(*SIZES[size])
            time.sleep(1.2)
            browser.screenshot(self.folder / f"{full}.png")

    def take_both(self, browser: Browser, name: str) -> None:
        """In the dark and in the light."""
        self.take(browser, name)
        browser.scheme("light")
        self.take(browser, f"light-{name}")
        browser.scheme("dark")

    def paired(self, rig: MockRig, role: str = "admin", scheme: str = "dark") -> Browser:
        browser = Browser(self.driver, scheme=scheme)
        browser.open(f"{rig.url}/#code={rig.pairing_code(role).replace(' ', '')}")
        eventually("the pairing page", lambda: browser.count(".pairing-form"))
        browser.click(".pairing-form button.primary")
        eventually("the page", lambda: browser.count(".tile"))
        return browser


def main() -> None:
    pictures = Path(sys.argv[1]) / "pictures"
    album = Album(Path(sys.argv[1]), sys.argv[2:])
    try:
        for cameras in (1, 2, 4, 9):
            if not album.wanted or any(part.startswith(f"{cameras}-") for part in album.wanted):
                shoot_cameras(album, pictures, cameras)
        if not album.wanted or any(part.startswith("forms") for part in album.wanted):
            shoot_forms(album, pictures)
        if not album.wanted or any(part in ("trouble", "takes", "pairing", "monitors", "light", "dialog", "controls", "photo", "countdown", "photos", "torches") for part in album.wanted):
            shoot_rest(album, pictures)
    finally:
        album.driver.close()


def moving(browser: Browser, count: int) -> bool:
    return browser.script("return [...document.querySelectorAll('canvas')].filter((c) => c.width > 1).length") >= count


def shoot_cameras(album: Album, pictures: Path, cameras: int) -> None:
    rig = MockRig(pictures, cameras)
    browser = album.paired(rig)
    eventually("pictures", lambda: moving(browser, cameras))
    album.take(browser, f"{cameras}-idle")
    browser.click(".record")
    eventually("recording", lambda: browser.count(".deck[data-recording]"))
    time.sleep(2)
    album.take(browser, f"{cameras}-recording", ("phone", "laptop", "desktop", "side"))
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    album.take(browser, f"{cameras}-large", ("phone", "laptop", "desktop", "side"))
    browser.close()
    rig.close()


def shoot_forms(album: Album, pictures: Path) -> None:
    """Cameras of other forms, long names, a zoomed picture, a window that is zoomed to 200 %."""
    rig = MockRig(pictures, 5)
    browser = album.paired(rig, "operator")
    eventually("pictures", lambda: moving(browser, 5))
    rig.tell("camera", id=LEFT, set={"name": "The camera above the drummer, second row from the left"})
    rig.tell("camera", id=RIGHT, set={"picture": {"rotate": 90}})
    rig.tell("camera", id="usb-046d-0825-0003-00", set={"picture": {"rotate": 270}})
    rig.tell("patch", patch={"rig": {"name": "concert-hall-rig-number-four"}})
    time.sleep(1)
    album.take(browser, "forms-grid", ("phone", "laptop", "side"))
    browser.open(f"{rig.url}/#/live/{RIGHT}")
    eventually("large", lambda: browser.count(".stage"))
    album.take(browser, "forms-large", ("phone", "laptop", "side"))
    browser.open(f"{rig.url}/#/live/{LEFT}")
    browser.press("c")
    rig.tell("camera", id=LEFT, set={"picture": {"mirror": True, "zoom": 2.5, "x": 0.4, "y": 0.6}})
    browser.script("document.querySelector('.picture-form').scrollIntoView()")
    album.take(browser, "forms-framing", ("phone", "laptop"))
    album.take(browser, "forms-zoomed", ("zoomed",))
    browser.close()
    rig.close()


def shoot_rest(album: Album, pictures: Path) -> None:
    rig = MockRig(pictures, 5, takes=True)
    browser = Browser(album.driver)
    browser.open(f"{rig.url}/#code=12345678")
    eventually("the pairing page", lambda: browser.count(".pairing-form"))
    album.take(browser, "pairing")
    browser.click(".pairing-form button.primary")
    eventually("the refusal", lambda: browser.shows("Make a new one"))
    browser.click(".certificate summary")
    album.take(browser, "pairing-refused", ("phone", "laptop"))
    browser.close()

    browser = album.paired(rig)
    eventually("pictures", lambda: moving(browser, 5))
    browser.open(f"{rig.url}/#/live/{LEFT}")
    eventually("large", lambda: browser.count(".stage"))
    browser.press("c")
    eventually("controls", lambda: browser.count(".control-panel"))
    album.take(browser, "controls", ("phone", "laptop", "desktop", "side"))
    browser.press("c")
    browser.click(".mode[data-mode=photo]")
    album.take(browser, "photo", ("phone", "laptop", "side"))
    browser.script("document.querySelector('.deck-select').value = '20'")
    browser.press(" ")
    eventually("the countdown", lambda: browser.count(".countdown"))
    album.take(browser, "countdown", ("phone", "laptop"))
    browser.click(".countdown button")
    eventually("cancelled", lambda: not browser.count(".countdown"))
    browser.script("document.querySelector('.deck-select').value = '0'")
    browser.press("Escape")
    eventually("the shutter is ready", lambda: browser.count(".record[aria-disabled='false']") and not browser.count(".stage"))
    browser.press(" ")
    browser.click(".flash")
    eventually("the shutter is ready", lambda: browser.count(".record[aria-disabled='false']"))
    browser.press(" ")
    browser.press("p")
    eventually("photos", lambda: browser.count(".photo-tile") >= 10)
    album.take_both(browser, "photos")
    browser.click(".torch")
    album.take(browser, "torches", ("phone", "laptop"))
    browser.press("Escape")
    browser.click(".mode[data-mode=video]")
    browser.open(f"{rig.url}/#/takes")
    eventually("takes", lambda: browser.count(".take-row") == 3)
    album.take(browser, "takes-list")
    browser.script("document.querySelectorAll('.take-row')[1].click()")
    eventually("the take", lambda: browser.count(".clip") > 2)
    time.sleep(1)
    album.take(browser, "takes-one")
    rig.tell("patch", patch={"monitors": {f"m{number}": {"name": f"Tablet {number}", "role": "viewer", "connected": number < 3}
                                          for number in range(12)}})
    browser.open(f"{rig.url}/#/monitors")
    eventually("monitors", lambda: browser.count(".panel"))
    browser.click(".panel button.primary")
    eventually("the code", lambda: browser.count(".code"))
    album.take_both(browser, "monitors")

    browser.open(f"{rig.url}/#/live/{LEFT}")
    eventually("large", lambda: browser.count(".stage"))
    browser.click("[aria-label='Camera settings']")
    album.take(browser, "dialog", ("phone", "laptop"))
    browser.click("dialog .microphone:last-child button[aria-label^='Switch microphone off']")
    eventually("one is off", lambda: browser.count(".microphone[data-off]"))
    for element in (".microphone:last-child", ".sound-form"):
        browser.script(f"document.querySelector('dialog {element}').scrollIntoView({{ block: 'nearest' }})")
    album.take_both(browser, "dialog-microphones")
    browser.press("Escape")
    browser.press("?")
    album.take(browser, "dialog-help", ("laptop",))
    browser.press("Escape")
    browser.press("Escape")

    browser.click(".record")
    eventually("recording", lambda: browser.count(".deck[data-recording]"))
    rig.tell("camera", id=LEFT, set={"state": "offline", "granted": None, "stream": None, "device": None})
    rig.tell("camera", id=RIGHT, set={
        "state": "stalled", "message": "No picture for 2 s. The rig starts it again; if that does not help, unplug it and plug it back in."})
    rig.tell("camera", id="usb-046d-0825-0003-00", set={
        "state": "busy", "message": "/dev/video4 is in use by another program. Find it with: fuser -v /dev/video4",
        "granted": None, "stream": None})
    rig.tell("camera", id="usb-046d-0825-0004-00", set={"stream": {"lost": {"driverGap": 17}}})
    rig.tell("patch", patch={"disk": {"freeBytes": 1_900_000_000, "secondsLeft": 640}, "rig": {"clockSync": "unsynchronised"}})
    time.sleep(4)
    album.take_both(browser, "trouble")
    browser.script("document.querySelector('.more').click()")
    album.take_both(browser, "trouble-all")
    browser.script("document.querySelector('.more').click()")
    browser.press("1")
    album.take_both(browser, "trouble-large")
    browser.press("Escape")
    rig.stop()
    time.sleep(2)
    album.take_both(browser, "trouble-lost")
    rig.start()
    browser.close()

    browser = album.paired(rig, "viewer", "light")
    eventually("pictures", lambda: moving(browser, 5))
    album.take(browser, "light-viewer")
    browser.open(f"{rig.url}/#/takes")
    album.take(browser, "light-takes", ("laptop",))
    browser.close()
    browser = album.paired(rig, "operator", "light")
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    browser.press("c")
    album.take(browser, "light-controls", ("phone", "laptop"))
    browser.close()
    rig.close()


if __name__ == "__main__":
    main()
