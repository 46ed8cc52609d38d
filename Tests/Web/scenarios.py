"""What a person does with the page, as a browser sees it. A scenario knows the rig only by its URL, pairing codes, and
that it can be stopped and started; those that need a rig to fail on demand say so (`needs_mock`)."""

import json
import re
import ssl
import subprocess
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from webdriver import Browser, Driver, eventually

# What a canvas shows, as a number.
LOOK = """
const canvas = [...document.querySelectorAll(arguments[0])].find((e) => e.checkVisibility());
if (!canvas || canvas.width < 2) return null;
const copy = new OffscreenCanvas(canvas.width, canvas.height);
const context = copy.getContext('2d');
context.drawImage(canvas, 0, 0);
const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
let hash = 7;
for (let i = 0; i < data.length; i += 40) hash = (hash * 31 + data[i]) | 0;
return hash;
"""

# The counter that camrig's test pattern and the mock burn into a picture 1280 wide: 32 cells of 8 by 8 at the top left, the
# highest bit first. Null where the picture is too small, or not clear enough, to tell.
COUNTER = """
const canvas = document.querySelector(arguments[0]);
const size = 8 * canvas.width / 1280;
if (size < 4) return null;
const copy = new OffscreenCanvas(canvas.width, canvas.height);
const context = copy.getContext('2d');
context.drawImage(canvas, 0, 0);
let counter = 0;
for (let cell = 0; cell < 32; cell += 1) {
  const { data } = context.getImageData(Math.round((cell + 0.25) * size), Math.round(0.25 * size), Math.round(size / 2), Math.round(size / 2));
  const luma = data.reduce((sum, value, index) => (index % 4 === 1 ? sum + value : sum), 0) / (data.length / 4);
  if (luma > 88 && luma < 168) return null;
  counter = counter * 2 + (luma >= 168 ? 1 : 0);
}
return counter;
"""


# Status, disposition and some bytes of what a link leads to.
FETCH = """
const request = new XMLHttpRequest();
request.open('GET', document.querySelector(arguments[0]).href, false);
request.overrideMimeType('text/plain; charset=x-user-defined');
request.send();
return [request.status, request.getResponseHeader('Content-Disposition'), request.responseText.slice(arguments[1], arguments[2])];
"""


class Stage:
    """What scenarios share: the rig, the browsers, and where pictures of them are kept."""

    def __init__(self, rig, driver, artefacts) -> None:
        self.rig = rig
        self.driver = driver
        self.artefacts = artefacts
        self.browsers = []
        self.drivers = []
        self.expected_complaints = ()

    def browser(self, width=1280, height=800) -> Browser:
        browser = Browser(self.driver, width, height)
        self.browsers.append(browser)
        return browser

    def strict_browser(self, home: str) -> Browser:
        """One with a home of its own that ignores no fault of a certificate."""
        driver = Driver(self.artefacts / "chromedriver-strict.log", home)
        self.drivers.append(driver)
        browser = Browser(driver, insecure=False)
        self.browsers.append(browser)
        return browser

    def paired(self, role="admin", width=1280, height=800) -> Browser:
        browser = self.browser(width, height)
        pair(browser, self.rig.url, self.rig.pairing_code(role), f"{role} test")
        return browser

    def keep(self, browser: Browser, name: str) -> None:
        browser.screenshot(self.artefacts / f"{name}.png")

    def close(self) -> None:
        for browser in self.browsers:
            browser.close()
        for driver in self.drivers:
            driver.close()


def pair(browser: Browser, url: str, code: str, name: str) -> None:
    browser.open(f"{url}/#code={code.replace(' ', '')}")
    eventually("the pairing page", lambda: browser.count(".pairing-form"))
    assert browser.script("return document.querySelector('.code-input').value") == code, "the link fills in the code"
    browser.type(".field:nth-of-type(2) input", name)
    browser.click(".pairing-form button.primary")
    eventually("the monitor's page", lambda: browser.count(".tile"))


def cameras(browser: Browser) -> list[str]:
    return browser.script("return [...document.querySelectorAll('.tile')].map((tile) => tile.dataset.camera)")


def moves(browser: Browser, selector: str, pictures: int = 4) -> None:
    """So many different pictures come, one after the other."""
    seen = set()

    def another():
        look = browser.script(LOOK, selector)
        if look is not None:
            seen.add(look)
        return len(seen) >= pictures
    eventually(f"{pictures} different pictures in {selector}", another)


def counts(browser: Browser, selector: str) -> None:
    """The burnt-in counter goes up. (The mock's begins anew after some pictures.)"""
    seen = []

    def another():
        counter = browser.script(COUNTER, selector)
        if counter is not None and counter not in seen:
            seen.append(counter)
        return len(seen) >= 4
    eventually(f"a counter that advances in {selector}", another)
    rising = sum(a < b for a, b in zip(seen, seen[1:]))
    assert rising >= 2 and max(seen) - min(seen) < 100_000, f"a counter does not go like this: {seen}"


def press_record(browser: Browser) -> None:
    """As soon as it takes a press: right after an answer it does not."""
    eventually("Record can be pressed", lambda: browser.count(".record[aria-disabled='false']"))
    browser.click(".record")


def all_move(browser: Browser) -> None:
    eventually("two cameras", lambda: len(cameras(browser)) >= 2)
    for camera in cameras(browser)[:2]:
        moves(browser, f".tile[data-camera='{camera}'] canvas")


def is_recording(browser: Browser) -> bool:
    return browser.count(".deck[data-recording]") == 1 and "Recording" in browser.text(".deck-word")


def is_ready(browser: Browser) -> bool:
    return browser.count(".deck") == 1 and browser.count(".deck[data-recording]") == 0 and "Ready" in browser.text(".deck-word")


# With any rig


def a_whole_session(stage: Stage) -> None:
    """pairs, sees two moving previews, records, stops, plays and fetches the take; another browser sees each change;
    both outlive a restart of the rig"""
    first = stage.paired("admin")
    all_move(first)
    stage.keep(first, "session-live")

    # The second browser comes in by an invitation of the first.
    first.open(f"{stage.rig.url}/#/monitors")
    eventually("the invitation", lambda: first.count(".panel button.primary"))
    first.click(".panel button.primary")
    eventually("the code", lambda: first.count(".code"))
    assert scanned(stage, first) == first.script("return document.querySelector('.code-row[data-drawn] a').href")
    second = stage.browser(360, 740)
    pair(second, stage.rig.url, first.text(".code"), "phone test")
    eventually("the first sees the second", lambda: first.script(
        "return [...document.querySelectorAll('.monitor-row[data-connected]')].some((row) => row.textContent.includes('phone test'))"))
    stage.keep(first, "session-monitors")
    all_move(second)

    for browser in (first, second):
        browser.script("window.stays = true")
    first.open(f"{stage.rig.url}/#/live")
    first.press("2")
    eventually("the second camera large", lambda: first.count(".stage"))
    chosen = cameras(first)[1]
    assert first.script("return document.querySelector('.stage').dataset.camera") == chosen
    counts(first, ".stage canvas")

    before = takes(second, stage.rig.url)
    second.open(f"{stage.rig.url}/#/live")
    first.press(" ")
    eventually("recording", lambda: is_recording(first))
    eventually("the other browser sees it", lambda: is_recording(second))
    eventually("elapsed time", lambda: "00:00:02" <= first.text(".timecode"))
    late = stage.browser()
    pair(late, stage.rig.url, stage.rig.pairing_code("viewer"), "late test")
    eventually("who comes late sees since when", lambda: late.text(".timecode") >= "00:00:03")
    eventually("each camera says that it is recorded", lambda: first.count(".tile .badge.rec") == first.count(".tile"))
    stage.keep(first, "session-recording")
    stage.keep(second, "session-recording-phone")
    press_record(second)
    eventually("stopped", lambda: is_ready(second))
    eventually("the other browser sees that, too", lambda: is_ready(first))

    first.open(f"{stage.rig.url}/#/takes")
    eventually("one take more", lambda: first.count(".take-row") == before + 1)
    first.click(".take-row:first-child")
    eventually("its clips", lambda: first.count(".clip") >= 2)
    plays(stage, first, ".mov")
    plays(stage, first, ".mp4")
    fetches(first)

    for browser in (first, second):
        browser.open(f"{stage.rig.url}/#/live")
    stage.rig.stop()
    for browser in (first, second):
        eventually("the loss is told", lambda: "Connection to the rig lost" in browser.text(".banners"))
    stage.keep(first, "session-lost")
    stage.rig.start()
    for browser in (first, second):
        eventually("connected again", lambda: browser.count(".banner[data-trouble='link']") == 0)
        all_move(browser)
        assert browser.script("return window.stays") is True, "nobody reloaded the page"


def scanned(stage: Stage, browser: Browser) -> str:
    """What a camera that is pointed at the page reads."""
    stage.keep(browser, "session-invitation")
    return subprocess.run(["zbarimg", "-q", "--raw", str(stage.artefacts / "session-invitation.png")], check=True, timeout=60,
                          stdout=subprocess.PIPE, text=True).stdout.strip()


def takes(browser: Browser, url: str) -> int:
    browser.open(f"{url}/#/takes")
    eventually("the list of takes", lambda: browser.count(".take-list") and not browser.shows("Reading"))
    return browser.count(".take-row")


def plays(stage: Stage, browser: Browser, suffix: str) -> None:
    """The first clip of a kind, if the take has one: its pictures change."""
    clips = browser.script("return [...document.querySelectorAll('.clip')].map((clip) => clip.dataset.file)")
    file = next((clip for clip in clips if clip.endswith(suffix)), None)
    if file is None:
        return
    browser.click(f".clip[data-file='{file}'] .clip-play")
    if suffix == ".mp4":
        eventually("the movie plays", lambda: browser.script("return document.querySelector('video')?.currentTime > 0.3"))
        assert browser.script("return document.querySelector('video').videoWidth") > 0
        return
    moves(browser, ".mjpeg-screen")
    stage.keep(browser, "session-take")
    eventually("it plays to its end", lambda: browser.count(".mjpeg-player[data-plays]") == 0)
    assert browser.text(".player-time").split(" / ")[0] == browser.text(".player-time").split(" / ")[1], "at its end"
    browser.press(" ")
    eventually("Space plays it again", lambda: browser.count(".mjpeg-player[data-plays]"))
    moves(browser, ".mjpeg-screen", 2)
    browser.press(" ")
    eventually("Space lets it rest", lambda: browser.count(".mjpeg-player[data-plays]") == 0)


def fetches(browser: Browser) -> None:
    said = browser.script(FETCH, ".clip a[download]", 4, 8)
    status, disposition, box = said
    assert status == 200 and disposition.startswith("attachment"), f"a download, not {said}"
    assert box == "ftyp", f"a movie, not {box!r}"


def a_viewer_only_looks(stage: Stage) -> None:
    """a viewer's page has no Record button, and the rig refuses the call anyway"""
    browser = stage.paired("viewer")
    all_move(browser)
    assert browser.count(".record") == 0 and browser.count(".arm") == 0
    browser.press(" ")
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    assert browser.count("[aria-label='Camera settings']") == 0
    browser.open(f"{stage.rig.url}/#/monitors")
    eventually("monitors", lambda: browser.count(".monitor-row"))
    assert browser.count(".panel") == 0 and browser.count(".monitor-row .danger") == 0
    answer = json.loads(browser.script("""
        const request = new XMLHttpRequest();
        request.open('POST', '/rpc', false);
        request.setRequestHeader('Content-Type', 'application/json');
        request.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'recording.start', params: {} }));
        return request.responseText;"""))
    assert answer["error"]["data"]["reason"] == "role.forbidden", answer
    assert is_ready(browser), "nothing is being recorded"
    stage.keep(browser, "viewer")


def photos_by_timer(stage: Stage) -> None:
    """a photo by timer is counted down on two pages and can be cancelled; the next one is in the list and can be fetched"""
    browser = stage.paired("operator")
    other = stage.paired("viewer")
    all_move(browser)
    assert browser.count(".mode") == 3 and other.count(".mode") == 0
    browser.click(".mode[data-mode=photo]")
    browser.script("document.querySelector('.deck-select').value = '5'")
    browser.press(" ")
    # Both at the same time, and it goes down on both.
    both = lambda: [page.text(".countdown-number") for page in (browser, other)]
    seen = [set(), set()]

    def counted():
        for numbers, number in zip(seen, both()):
            numbers.add(number)
        return all(len(numbers & {"5", "4", "3", "2"}) >= 2 for numbers in seen)
    eventually("the countdown on both pages", counted)
    assert all(page.count(".countdown") == 1 for page in (browser, other))
    stage.keep(browser, "countdown")
    browser.click(".countdown button")
    eventually("cancelled", lambda: other.count(".countdown") == 0)
    browser.script("document.querySelector('.deck-select').value = '0'")
    eventually("the shutter is ready", lambda: browser.count(".record[aria-disabled='false']"))
    browser.press(" ")
    browser.press("p")
    eventually("a photo of each camera", lambda: browser.count(".photo-tile") == 2)
    eventually("its picture", lambda: browser.script("return document.querySelector('.photo-tile img').naturalWidth > 100"))
    other.open(f"{stage.rig.url}/#/photos")
    eventually("the other page has them, too", lambda: other.count(".photo-tile") == 2)
    browser.click(".photo-tile:first-child")
    eventually("large", lambda: browser.count(".photo-large"))
    status, disposition, begin = browser.script(FETCH, "dialog a.button", 0, 2)
    assert status == 200 and disposition.startswith("attachment") and begin == "\uf7ff\uf7d8", f"a JPEG to keep, not {status} {disposition} {begin!r}"
    browser.press("Escape")


def a_timelapse(stage: Stage) -> None:
    """a timelapse of the large camera is started and stopped, is in the list with its pictures of that one camera, and becomes a movie that can be fetched"""
    browser = stage.paired("operator")
    all_move(browser)
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    browser.click(".mode[data-mode=timelapse]")
    assert browser.count(".deck-aim .aim") == 1, "the choice between this camera and all"
    browser.script("document.querySelector('.deck-select').value = '1'")
    for size in ((360, 740), (1280, 800)):
        browser.resize(*size)
        stage.keep(browser, f"timelapse-deck-{size[0]}")
    press_record(browser)
    eventually("pictures", lambda: int((re.match(r"(\d+) picture", browser.text(".deck-word")) or "00")[1]) >= 3)
    assert browser.count(".deck-aim .aim") == 0, "nothing to choose while it runs"
    press_record(browser)
    eventually("stopped, there is a choice again", lambda: browser.count(".deck-aim .aim") == 1)
    browser.press("p")
    eventually("in the list", lambda: browser.count(".lapse-row") >= 1)
    assert browser.text(".lapse-row:first-child .take-facts").startswith("1 camera"), browser.text(".lapse-row:first-child .take-facts")
    browser.click(".lapse-row:first-child button")
    eventually("a movie", lambda: browser.count(".lapse-row:first-child a.button") == 1)
    stage.keep(browser, "timelapse")


def meters_move(stage: Stage) -> None:
    """under the picture of a camera with a microphone a meter shows what is heard, and goes up and down with it"""
    browser = stage.paired("viewer")
    all_move(browser)
    seen = set()

    def levels():
        level = browser.script("return document.querySelector('.tile .meter:not([hidden])')?.getAttribute('aria-valuenow') ?? null")
        if level is not None:
            seen.add(int(level))
        return len(seen) >= 2 and max(seen) > -50 and max(seen) - min(seen) >= 6
    eventually("a level that changes", levels)
    bar = "return document.querySelector('.tile .meter-rms').style.transform"
    before = browser.script(bar)
    eventually("the bar moves", lambda: browser.script(bar) != before)


def a_wrong_code(stage: Stage) -> None:
    """a wrong code is refused in words, and what is not paired gets nothing else"""
    browser = stage.browser(360, 740)
    browser.open(f"{stage.rig.url}/")
    eventually("the pairing page", lambda: browser.count(".pairing-form"))
    assert browser.shows("camrigctl pair") and not browser.count(".page")
    browser.type(".code-input", "0000-0000")
    browser.click(".pairing-form button.primary")
    message = eventually("the refusal", lambda: browser.count(".form-error") and browser.text(".form-error"))
    assert len(message) > 20, message
    assert browser.script("return document.querySelector('.code-input').value") == "0000 0000"
    stage.keep(browser, "pairing-refused")
    stage.expected_complaints = ("403",)
    try:
        # The rig's own certificate is not what is looked at here.
        urllib.request.urlopen(
            f"{stage.rig.url}/snapshot?camera=1", timeout=20, context=ssl._create_unverified_context())
        raise AssertionError("a snapshot for nobody")
    except urllib.error.HTTPError as error:
        assert error.code == 401


# With a rig that fails on demand


def needs_rig(scenario):
    """The mock cannot do it."""
    scenario.needs_rig = True
    return scenario


@needs_rig
def a_paired_monitor_lets_in(stage: Stage) -> None:
    """a browser without a code asks, both sides show the same digits, an admin allows it, and it is let in as that; another is
    refused; an operator is asked nothing"""
    admin, looking = stage.paired("admin"), stage.paired("operator")

    def asks(name: str) -> Browser:
        browser = stage.browser(360, 740)
        browser.open(stage.rig.url)
        eventually("the pairing page", lambda: browser.count(".pairing-form"))
        browser.type(".field:nth-of-type(2) input", name)
        browser.click(".ask-button")
        eventually("the digits", lambda: browser.count(".approval-waiting"))
        return browser
    tablet = asks("Tablet")
    digits = tablet.text(".approval-waiting .code")
    assert digits.isdigit() and len(digits) == 4, digits
    stage.keep(tablet, "approval-asking")
    eventually("the admin is asked", lambda: admin.count(".approval"))
    assert admin.text(".approval-digits") == digits and "Tablet" in admin.text(".approval .banner-text")
    stage.keep(admin, "approval-banner")
    admin.script("const s = document.querySelector('.approval select'); s.value = 'viewer'")
    admin.click(".approval .approve")
    eventually("the tablet is in", lambda: tablet.count(".tile"))
    assert tablet.count(".record") == 0, "a viewer has no Record button"
    eventually("nobody asks any more", lambda: admin.count(".approval") == 0)
    assert looking.count(".approval") == 0

    # One place an address: the second request of this machine comes when the first is decided on.
    stranger = asks("Tablet")
    eventually("the admin is asked", lambda: admin.count(".approval"))
    assert admin.text(".approval-digits") == stranger.text(".approval-waiting .code")
    admin.click(".approval .deny")
    eventually("it hears so", lambda: stranger.shows("A paired monitor has said no."))
    assert stranger.count(".ask-button") == 1 and stranger.count(".tile") == 0


@needs_rig
def the_rigs_own_authority(stage: Stage) -> None:
    """Chromium that has the rig's certificate authority on its list, and ignores no fault of a certificate, shows the page: names
    and usage of the certificate are right; without it, it does not"""
    with tempfile.TemporaryDirectory(prefix="camrig-nss-", ignore_cleanup_errors=True) as home:
        authority = Path(home) / "ca.crt"
        insecure = ssl.create_default_context()
        insecure.check_hostname, insecure.verify_mode = False, ssl.CERT_NONE
        with urllib.request.urlopen(f"{stage.rig.url}/ca.crt", context=insecure, timeout=20) as answer:
            authority.write_bytes(answer.read())
        store = Path(home) / ".pki" / "nssdb"
        store.mkdir(parents=True)
        # Debian's Chromium takes its store's place from HOME alone.
        run(["certutil", "-N", "--empty-password", "-d", f"sql:{store}"])
        stranger = stage.strict_browser(home)
        stage.expected_complaints = ("ERR_CERT",)
        stranger.open(f"{stage.rig.url}/")
        assert stranger.shows("ERR_CERT_AUTHORITY_INVALID"), "Chromium trusts the rig although nobody told it to"
        run(["certutil", "-A", "-d", f"sql:{store}", "-n", "rig", "-t", "C,,", "-i", str(authority)])
        browser = stage.strict_browser(home)
        for url in (stage.rig.url, stage.rig.url.replace("127.0.0.1", "localhost")):
            browser.open(f"{url}/")
            eventually("the pairing page", lambda: browser.count(".pairing-form"))
            assert browser.script("return isSecureContext && location.protocol === 'https:'")
        pair(browser, stage.rig.url, stage.rig.pairing_code("viewer"), "strict")
        all_move(browser)


def run(words: list[str]) -> None:
    subprocess.run(words, check=True, timeout=60, stdout=subprocess.DEVNULL)


def needs_mock(scenario):
    scenario.needs_mock = True
    return scenario


@needs_mock
def a_camera_is_unplugged(stage: Stage) -> None:
    """an unplugged camera is told with the cure while the take goes on, and comes back by itself"""
    browser = stage.paired("operator")
    all_move(browser)
    camera = cameras(browser)[0]
    press_record(browser)
    eventually("recording", lambda: is_recording(browser))
    stage.rig.tell("camera", id=camera, set={"state": "offline", "granted": None, "stream": None})
    eventually("the banner", lambda: "is not being recorded" in browser.text(f".banner[data-trouble='camera.{camera}']"))
    assert "same socket" in browser.text(".banners")
    tile = f".tile[data-camera='{camera}']"
    assert "Not plugged in" in browser.text(f"{tile} .picture-words")
    assert browser.text(f"{tile} .badge.rec") == "GAP"
    stage.keep(browser, "unplugged")
    stage.rig.tell("camera", id=camera, set={
        "state": "streaming", "granted": {"pixelFormat": "MJPG", "size": "1280x720", "rate": "15"}, "stream": {"frames": 1, "lost": {}}})
    eventually("the banner is gone", lambda: browser.count(".banner") == 0)
    moves(browser, f"{tile} canvas")
    press_record(browser)
    eventually("stopped", lambda: is_ready(browser))


@needs_mock
def a_camera_that_stays_dark(stage: Stage) -> None:
    """the rig is told what is chosen; of a camera that shows nothing the page says so and goes back to the one before"""
    browser = stage.paired("viewer")
    first, second = cameras(browser)[:2]
    stage.rig.tell("dark", id=second)
    browser.press("1")
    eventually("the rig is told", lambda: stage.rig.tell("selects")["selects"] == [first])
    browser.press("2")
    eventually("the refusal", lambda: "has sent no picture" in browser.text(".toasts"))
    eventually("back to the first", lambda: browser.count(f".stage[data-camera='{first}']"))
    eventually("told again", lambda: stage.rig.tell("selects")["selects"] == [first, second, first])


@needs_mock
def trouble_is_told(stage: Stage) -> None:
    """stalled, busy, disk low, clock, the rig's own problems and events: each in words, each gone when it is over"""
    browser = stage.paired("operator")
    all_move(browser)
    left, right = cameras(browser)[:2]
    stage.rig.tell("camera", id=left, set={"state": "stalled", "message": "No picture for 2 s."})
    stage.rig.tell("camera", id=right, set={"state": "busy", "message": "Find it with: fuser -v /dev/video2", "granted": None})
    stage.rig.tell("patch", patch={"disk": {"freeBytes": 1_000_000_000}, "rig": {"clockSync": "unsynchronised"},
                                   "problems": {"x": {"text": "The media directory is missing. Mount it."}}})
    for text in ("No picture for 2 s.", "fuser -v /dev/video2", "1.0 GB free", "clock is not synchronised", "Mount it."):
        eventually(text, lambda: text in browser.text(".banner-list"))
    stage.rig.tell("event", method="recording.trouble", params={
        "take": "t", "camera": left, "kind": "diskSlow", "message": "A sync of Left took 1.9 s."})
    eventually("the event", lambda: "1.9 s" in browser.text(".banner-list"))
    stage.keep(browser, "trouble")
    for camera in (left, right):
        stage.rig.tell("camera", id=camera, set={"state": "idle", "message": ""})
    stage.rig.tell("patch", patch={"disk": {"message": "The media directory is read-only."}})
    eventually("the disk's own words", lambda: "is read-only" in browser.text(".banner[data-trouble='disk']"))
    stage.rig.tell("patch", patch={"disk": {"freeBytes": 10**12, "message": ""}, "rig": {"clockSync": "synchronised"}, "problems": {"x": None}})
    eventually("only the event is left", lambda: browser.script("return document.querySelectorAll('.banner').length") == 1)
    browser.click(".banner button")
    eventually("dismissed", lambda: browser.count(".banner") == 0)


# What of the banners cannot be read, and what lies over the large picture.
BANNERS = """
const faults = [];
const box = document.querySelector('.banners').getBoundingClientRect();
for (const text of document.querySelectorAll('.banner-text')) {
  if (!text.checkVisibility()) continue;
  const { left, right, width } = text.getBoundingClientRect();
  if (left < 0 || right > innerWidth) faults.push(`out of sight: ${text.textContent}`);
  if (width < Math.min(240, innerWidth * .6)) faults.push(`${width} pixels wide: ${text.textContent}`);
}
const main = document.querySelector('.main').getBoundingClientRect();
if (main.height < innerHeight * .25) faults.push(`the pictures have ${main.height} pixels`);
if (box.bottom > main.top + 1) faults.push('banners lie over the pictures');
const rect = (selector) => [...document.querySelectorAll(selector)].find((e) => e.checkVisibility())?.getBoundingClientRect();
const [picture, tiles] = [rect('.stage > .picture'), rect('.live-view > .tiles')];
if (picture && tiles && Math.min(picture.right, tiles.right) - Math.max(picture.left, tiles.left) > 1
  && Math.min(picture.bottom, tiles.bottom) - Math.max(picture.top, tiles.top) > 1) faults.push('tiles lie over the large picture');
return faults;
"""


@needs_mock
def trouble_in_every_window(stage: Stage) -> None:
    """with five troubles at once, in the dark and in the light, on a phone, a laptop and a desktop: each can be read, the worst without a
    press, the way back stays in sight, and nothing lies over the pictures"""
    browser = stage.paired("operator")
    all_move(browser)
    left, right = cameras(browser)[:2]
    press_record(browser)
    eventually("recording", lambda: is_recording(browser))
    stage.rig.tell("camera", id=left, set={"state": "offline", "granted": None, "stream": None, "device": None})
    stage.rig.tell("camera", id=right, set={"state": "stalled", "hints": ["It lowers its rate in this light. Switch that off among its controls."],
                                            "message": "No picture for 2 s. The rig starts it again; if that does not help, unplug it and plug it back in."})
    stage.rig.tell("patch", patch={"disk": {"freeBytes": 1_900_000_000, "secondsLeft": 170}, "rig": {"clockSync": "unsynchronised"}})
    eventually("all of them", lambda: browser.script("return document.querySelectorAll('.banner').length") == 5)
    faults = []

    def look(where: str) -> None:
        for scheme in ("dark", "light"):
            browser.scheme(scheme)
            eventually(scheme, lambda: browser.script("return document.documentElement.dataset.theme") == scheme)
            found = browser.script(BANNERS) + audit(browser, scheme) + browser.script(CONTRAST)
            faults.extend(f"{where}, {scheme}: {fault}" for fault in found)
            stage.keep(browser, f"trouble-{where.replace(' ', '-')}-{scheme}")
    for width, height in ((360, 740), (1280, 800), (1920, 1080)):
        browser.resize(width, height)
        look(f"{width}")
        worst = browser.script("return [...document.querySelectorAll('.banner')].filter((e) => e.checkVisibility()).map((e) => e.dataset.level)")
        assert worst[:2] == ["alarm", "alarm"] and "Room for 2 min" in browser.text(".banner"), worst
        browser.press("2")
        eventually("large", lambda: browser.count(".stage"))
        look(f"{width} large")
        browser.press("Escape")
        eventually("the grid", lambda: browser.count(".stage") == 0)
        if browser.count(".more"):
            browser.click(".more")
            eventually("all five", lambda: browser.count(".banner") == 5)
            look(f"{width} open")
            assert not browser.script(IN_SIGHT, ".more"), "the way back is out of sight"
            browser.click(".more")
        assert browser.count(".banner") == (2 if width < 600 else 5)
    stage.rig.stop()
    eventually("the loss is told", lambda: browser.count(".banner[data-trouble='link']"))
    for width, height in ((360, 740), (1280, 800)):
        browser.resize(width, height)
        faults.extend(f"{width} lost: {fault}" for fault in browser.script(BANNERS))
        stage.keep(browser, f"trouble-{width}-lost")
    assert not faults, "\n".join(faults)


@needs_mock
def a_note_is_put_aside(stage: Stage) -> None:
    """what only informs can be put aside, stays so over other news, and is told again when it comes again; what needs somebody stays"""
    browser = stage.paired("viewer")
    all_move(browser)
    clock = ".banner[data-trouble='clock']"
    sync = lambda word: stage.rig.tell("patch", patch={"rig": {"clockSync": word}})
    sync("unsynchronised")
    stage.rig.tell("patch", patch={"disk": {"freeBytes": 1_000_000_000}})
    eventually("both", lambda: browser.count(".banner") == 2)
    assert browser.count(".banner button") == 1, "only the note can be put aside"
    browser.click(f"{clock} button")
    eventually("put aside", lambda: browser.count(clock) == 0)
    stage.rig.tell("patch", patch={"disk": {"freeBytes": 990_000_000}})
    eventually("other news", lambda: "990" in browser.text(".banner"))
    assert browser.count(clock) == 0
    sync("synchronised")
    stage.rig.tell("patch", patch={"disk": {"freeBytes": 980_000_000}})
    eventually("it was over", lambda: "980" in browser.text(".banner"))
    sync("unsynchronised")
    eventually("told again", lambda: browser.count(clock) == 1)


# What is cut off of words that tell things apart.
CUT = """
return [...document.querySelectorAll(arguments[0])].filter((e) => e.checkVisibility() && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 3))
  .map((e) => `${e.className} is cut: ${e.textContent}`);
"""


@needs_mock
def names_on_a_phone(stage: Stage) -> None:
    """at 360 pixels a camera's name, the moment of a take, and the name and the download of a clip can be seen whole, for names as people give them"""
    browser = stage.paired("operator", 360, 740)
    all_move(browser)
    for camera, name in zip(cameras(browser), ("Test pattern 1", "Above the drummer")):
        stage.rig.tell("camera", id=camera, set={"name": name})
    faults = []

    def look(where: str, *words: str) -> None:
        faults.extend(f"{where}: {fault}" for fault in browser.script(CUT, ", ".join(words)) + audit(browser, where))
        stage.keep(browser, f"names-{where.replace(' ', '-')}")
    press_record(browser)
    eventually("recording", lambda: is_recording(browser))
    browser.open(f"{stage.rig.url}/#/live")
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    look("large", ".stage-bar .name")
    browser.press("Escape")
    browser.click(".mode[data-mode=photo]")
    press_record(browser)
    browser.click(".mode[data-mode=video]")
    press_record(browser)
    eventually("stopped", lambda: is_ready(browser))
    browser.open(f"{stage.rig.url}/#/takes")
    eventually("the take", lambda: browser.count(".take-row"))
    look("takes", ".take-title", ".take-facts")
    browser.click(".take-row")
    eventually("its clips", lambda: browser.count(".clip") == 2)
    look("take", ".take-bar h2", ".clip-name", ".clip-facts")
    browser.open(f"{stage.rig.url}/#/photos")
    eventually("photos", lambda: browser.count(".photo-tile") == 2)
    look("photos", ".photo-name", ".photo-words")
    assert not faults, "\n".join(faults)


@needs_mock
def a_missed_change(stage: Stage) -> None:
    """a page that missed a change asks for the whole"""
    browser = stage.paired("viewer")
    asked = stage.rig.tell("calls")["calls"].count("state.watch")
    stage.rig.tell("skip")
    stage.rig.tell("patch", patch={"rig": {"name": "renamed-rig"}})
    eventually("the new name", lambda: browser.text(".rig-name") == "renamed-rig")
    eventually("asked anew", lambda: stage.rig.tell("calls")["calls"].count("state.watch") == asked + 1)


@needs_mock
def a_network_that_swallows_all(stage: Stage) -> None:
    """a connection on which nothing comes any more is noticed without a word from the network"""
    browser = stage.paired("operator")
    all_move(browser)
    stage.rig.tell("unanswered", on=True)
    eventually("pictures are called old", lambda: "No new picture" in browser.text(".tile .picture-words"))
    eventually("the loss is told", lambda: browser.count(".banner[data-trouble='link']"), 40)
    eventually("no old picture looks live", lambda: browser.text(".tile .picture-words").startswith("Not live"))
    stage.rig.tell("unanswered", on=False)
    eventually("connected again", lambda: browser.count(".banner[data-trouble='link']") == 0, 40)
    all_move(browser)


@needs_mock
def out_of_sight(stage: Stage) -> None:
    """a page that nobody sees takes no pictures, nor does a view without pictures"""
    browser = stage.paired("viewer")
    all_move(browser)
    previews = lambda: stage.rig.tell("previews")["previews"]
    assert previews() == 2
    other = browser.open_tab()
    eventually("no previews", lambda: previews() == 0)
    browser.close_tab(other)
    all_move(browser)
    browser.open(f"{stage.rig.url}/#/takes")
    eventually("no previews in Takes", lambda: previews() == 0)
    browser.open(f"{stage.rig.url}/#/live")
    all_move(browser)


# Without its pauses a page comes back only where it is woken. Long timers are those of backoff and heartbeats.
WITHOUT_PAUSES = "const real = window.setTimeout; window.setTimeout = (act, after, ...rest) => (after > 300 ? 0 : real(act, after, ...rest));"


@needs_mock
def woken(stage: Stage) -> None:
    """a page that slept (a phone was locked, a lid closed, the network was another one) comes back at once when it wakes, not at the end
    of a pause, with moving pictures"""
    browser = stage.paired("operator")
    all_move(browser)
    browser.script(WITHOUT_PAUSES)
    jump = "const real = Date.now; const from = real(); Date.now = () => real() + 60_000; "
    wakings = {
        "the network is there again": "dispatchEvent(new Event('online'))",
        "out of the browser's memory": "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))",
        "thawed": "document.dispatchEvent(new Event('resume'))",
        "a lid is opened": jump,
        "unlocked": None,
    }
    for what, wakes in wakings.items():
        other = browser.open_tab() if wakes is None else None
        stage.rig.stop()
        if other is None:
            eventually("the loss is told", lambda: browser.count(".banner[data-trouble='link']"))
        stage.rig.start()
        if other is None:
            assert browser.count(".banner[data-trouble='link']") == 1, "it came back unwoken: this tells nothing"
            browser.script(wakes)
        else:
            browser.close_tab(other)
        eventually(f"{what}: connected again", lambda: browser.count(".banner[data-trouble='link']") == 0)
        all_move(browser)


@needs_mock
def asleep_in_a_dead_network(stage: Stage) -> None:
    """a connection that died while the page slept is not trusted: the page asks, and connects anew when no answer comes"""
    browser = stage.paired("operator")
    all_move(browser)
    # No heartbeat: only waking can tell.
    browser.script("window.opened = 0; const Real = WebSocket; window.WebSocket = class extends Real { constructor(...all) { super(...all); window.opened += 1; } };"
                   "performance.now = () => 0;")
    stage.rig.tell("unanswered", on=True)
    browser.script("dispatchEvent(new Event('online'))")
    eventually("the loss is told", lambda: browser.count(".banner[data-trouble='link']"))
    stage.rig.tell("unanswered", on=False)
    browser.script("dispatchEvent(new Event('online'))")
    eventually("connected again", lambda: browser.count(".banner[data-trouble='link']") == 0)
    assert browser.script("return window.opened") >= 2, "a connection of its own, and one for pictures"
    all_move(browser)


# A wake lock as browsers give it: taken away when the page goes out of sight, and refused `refusals` times.
WAKE_LOCK = """
window.locks = [];
window.refusals = 0;
window.requests = 0;
Object.defineProperty(navigator, 'wakeLock', { value: { request: async () => {
  requests += 1;
  if (document.visibilityState !== 'visible' || refusals > 0) {
    refusals -= 1;
    throw new DOMException('not now', 'NotAllowedError');
  }
  const lock = { released: false, release: async () => { lock.released = true; } };
  document.addEventListener('visibilitychange', () => { if (document.visibilityState !== 'visible') lock.released = true; });
  window.locks.push(lock);
  return lock;
} } });
"""


@needs_mock
def stays_awake(stage: Stage) -> None:
    """the screen stays on while live pictures are shown or a take runs, and only then; a page that comes back into sight asks for it again,
    and so does one that was refused, when it comes into sight or is touched"""
    browser = stage.paired("operator")
    all_move(browser)
    browser.open(f"{stage.rig.url}/#/takes")
    eventually("another view", lambda: browser.count(".takes-view, .take-list"))
    browser.script(WAKE_LOCK)
    held = lambda: browser.script("return window.locks.filter((lock) => !lock.released).length")
    assert held() == 0
    browser.open(f"{stage.rig.url}/#/live")
    eventually("awake for the pictures", lambda: held() == 1)
    browser.open(f"{stage.rig.url}/#/takes")
    eventually("not for a list", lambda: held() == 0)
    press_record(browser)
    eventually("awake for the take", lambda: held() == 1)
    other = browser.open_tab()
    browser.close_tab(other)
    eventually("awake again", lambda: held() == 1)
    # Refused once, when it comes back into sight; then it does so once more, and is touched.
    requests = lambda: browser.script("return window.requests")
    for again in ("in sight", "touched"):
        browser.script("window.refusals = 1; window.requests = 0;")
        browser.close_tab(browser.open_tab())
        eventually("it was refused", lambda: requests() == 1)
        assert held() == 0
        if again == "in sight":
            browser.close_tab(browser.open_tab())
        else:
            browser.script("document.body.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }))")
        eventually(f"awake again, {again}", lambda: held() == 1)
        assert requests() == 2, "it asks without end"
    press_record(browser)
    eventually("the take is over", lambda: is_ready(browser) and held() == 0)
    browser.open(f"{stage.rig.url}/#/live")
    eventually("awake for the pictures", lambda: held() == 1)
    for camera in cameras(browser):
        stage.rig.tell("camera", id=camera, set={"state": "offline", "device": None})
    eventually("not for cameras that are away", lambda: held() == 0)


@needs_mock
def left_open(stage: Stage) -> None:
    """a page that is left open holds no more memory after many pictures than after some, and shows the newest one again after
    each restart of the rig"""
    browser = stage.paired("viewer")
    all_move(browser)

    def heap() -> int:
        for _ in range(3):
            browser.cdp("HeapProfiler.collectGarbage")
        return browser.cdp("Runtime.getHeapUsage")["usedSize"]

    def reconnects() -> None:
        stage.rig.stop()
        eventually("the loss is told", lambda: browser.count(".banner[data-trouble='link']"))
        stage.rig.start()
        eventually("connected again", lambda: browser.count(".banner[data-trouble='link']") == 0)
        all_move(browser)

    reconnects()
    moves(browser, ".tile canvas", 16)
    before = heap()
    for _ in range(5):
        reconnects()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        moves(browser, ".tile canvas", 16)
    after = heap()
    assert after <= before * 1.1 + 500_000, f"the page's memory grew from {before} to {after} bytes"
    assert stage.rig.tell("previews")["previews"] == 2, "what was asked for before a restart is asked for once"


@needs_mock
def names_are_text(stage: Stage) -> None:
    """names enter the page as text; a rename is seen by all, a refused one is told"""
    first = stage.paired("operator")
    second = stage.paired("viewer", 360, 740)
    camera = cameras(first)[0]
    nasty = "<img src=x onerror=alert(1)>"
    first.press("1")
    eventually("large", lambda: first.count(".stage"))
    first.click("[aria-label='Camera settings']")
    eventually("the window", lambda: first.count("dialog"))
    first.type("dialog .row-form input[type=text]", nasty)
    first.click("dialog form.row-form button")
    eventually("seen by the other", lambda: second.text(f".tile[data-camera='{camera}'] .name") == nasty)
    assert first.script("return document.querySelectorAll('img[src=x]').length") == 0
    other = next(name for name in first.script(
        "return [...document.querySelectorAll('.tile .name')].map((e) => e.textContent)") if name != nasty)
    first.type("dialog .row-form input[type=text]", other)
    first.click("dialog form.row-form button")
    eventually("the refusal", lambda: "Choose another name" in first.text(".toasts"))
    first.press("Escape")
    eventually("closed", lambda: first.count("dialog") == 0)


@needs_mock
def a_format_is_chosen(stage: Stage) -> None:
    """what the camera offers can be chosen, not while it is recorded"""
    browser = stage.paired("operator")
    camera = cameras(browser)[0]
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    browser.click("[aria-label='Camera settings']")
    choose = """
        const select = document.querySelector(`dialog select[name=${arguments[0]}]`);
        select.value = arguments[1];
        select.dispatchEvent(new Event('change'));
        return [...select.options].map((option) => option.value);"""
    assert browser.script(choose, "format", "MJPG") == ["", "MJPG", "YUYV"]
    assert browser.script(choose, "size", "1920x1080") == ["", "1920x1080", "1280x720", "640x480"]
    assert browser.script(choose, "rate", "30000/1001") == ["", "60", "30000/1001", "15"]
    eventually("too much for the bus", lambda: browser.shows("No room for Left. Choose a smaller size"))
    stage.keep(browser, "format-bus")
    browser.script(choose, "size", "640x480")
    eventually("this fits", lambda: browser.shows("USB bus 1 would carry 81 % of what it can"))
    browser.script(choose, "size", "1920x1080")
    browser.script(choose, "rate", "30000/1001")
    browser.click("dialog button.primary")
    eventually("asked", lambda: "camera.set" in stage.rig.tell("calls")["calls"])
    browser.press("Escape")
    press_record(browser)
    eventually("recording", lambda: is_recording(browser))
    browser.click("[aria-label='Camera settings']")
    eventually("the window", lambda: browser.count("dialog"))
    assert browser.script("return document.querySelector('dialog select[name=size]').value") == "1920x1080"
    assert browser.script("return document.querySelector('dialog button.primary').disabled")
    assert browser.count(f".stage[data-camera='{camera}']")
    browser.press("Escape")
    press_record(browser)
    eventually("stopped", lambda: is_ready(browser))


@needs_mock
def a_revoked_monitor(stage: Stage) -> None:
    """who is revoked is back at the pairing page, with the reason"""
    admin = stage.paired("admin")
    other = stage.paired("operator")
    admin.open(f"{stage.rig.url}/#/monitors")
    eventually("both", lambda: admin.count(".monitor-row") == 2)
    admin.click(".monitor-row .danger")
    admin.click(".monitor-row .danger")
    eventually("the pairing page", lambda: other.count(".pairing-form"))
    assert other.shows("revoked")
    eventually("gone from the list", lambda: admin.count(".monitor-row") == 1)


@needs_mock
def keys(stage: Stage) -> None:
    """everything by keyboard, and Space presses what was reached with Tab instead of recording"""
    browser = stage.paired("operator")
    all_move(browser)
    browser.press("2")
    eventually("large", lambda: browser.count(".stage"))
    browser.press("ArrowRight")
    first = cameras(browser)[0]
    eventually("the next", lambda: browser.count(f".stage[data-camera='{first}']"))
    browser.press("f")
    eventually("full screen", lambda: browser.count(".page[data-full]"))
    browser.press("f")
    eventually("as before", lambda: browser.count(".page[data-full]") == 0)
    browser.press("Escape")
    eventually("the grid", lambda: browser.count(".stage") == 0)
    browser.press("?")
    eventually("help", lambda: browser.count("dialog"))
    browser.press(" ")
    browser.press("Escape")
    eventually("closed", lambda: browser.count("dialog") == 0)
    assert "recording.start" not in stage.rig.tell("calls")["calls"], "Space in a window is no wish to record"
    browser.script("document.activeElement.blur()")
    browser.press("Tab")
    name = eventually("something has the focus", lambda: browser.script("return document.activeElement.getAttribute('href')"))
    assert name == "#/live", name
    browser.press("Tab")
    browser.press("Enter")
    eventually("Takes", lambda: browser.count(".takes-view"))
    browser.press("2")
    eventually("the second camera, from another view, too", lambda: browser.count(".stage"))
    browser.press("l")
    eventually("Live", lambda: browser.count(".tile"))
    browser.script("document.querySelector('.tile').focus()")
    browser.press(" ")
    eventually("the tile was pressed", lambda: browser.count(".stage"))
    assert "recording.start" not in stage.rig.tell("calls")["calls"]

    # Whoever moves a control with the mouse has the shutter under Space all the same.
    browser.press("c")
    eventually("controls", lambda: browser.count(".control-panel"))
    browser.click("[data-control='focus_automatic_continuous'][role=switch]")
    shown = browser.script("return document.querySelector('[role=switch]').checked")
    browser.press(" ")
    eventually("recording", lambda: is_recording(browser))
    assert browser.script("return document.querySelector('[role=switch]').checked") == shown
    menu = "const menu = document.querySelector('select[data-control]'); menu.focus(); menu.dispatchEvent(new Event('change', { bubbles: true }));"
    browser.script(menu)
    eventually("the shutter can be pressed", lambda: browser.count(".record[aria-disabled='false']"))
    browser.press(" ")
    eventually("stopped", lambda: is_ready(browser))


@needs_mock
def a_double_press(stage: Stage) -> None:
    """two presses in one breath are one take"""
    browser = stage.paired("operator")
    all_move(browser)
    browser.script("const button = document.querySelector('.record'); button.click(); button.click(); button.click();")
    eventually("recording", lambda: is_recording(browser))
    browser.script("document.querySelector('.record').click()")
    time.sleep(0.2)
    assert is_recording(browser), "a press right after the answer is the same finger"
    calls = stage.rig.tell("calls")["calls"]
    assert calls.count("recording.start") == 1 and calls.count("recording.stop") == 0
    press_record(browser)
    eventually("stopped", lambda: is_ready(browser))


@needs_mock
def another_release(stage: Stage) -> None:
    """after an upgrade of the rig the page is the new one, without a hand"""
    browser = stage.paired("viewer")
    browser.script("window.stays = true")
    stage.rig.stop()
    stage.rig.start("--version", "0.2.0")
    eventually("loaded anew", lambda: browser.script("return window.stays !== true && document.querySelectorAll('.tile').length > 0"))
    all_move(browser)


# Links in running text may be as high as their line. What lies in a list that scrolls may be out of sight.
AUDIT = """
const faults = [];
for (const element of document.querySelectorAll('button, a[href], input, select, summary')) {
  if (!element.checkVisibility({ visibilityProperty: true }) || element.matches('.code-link')) continue;
  const { width, height, left, right, top, bottom } = element.getBoundingClientRect();
  const what = element.outerHTML.slice(0, 120);
  if (Math.min(width, height) < 44) faults.push(`${Math.round(width)} by ${Math.round(height)}: ${what}`);
  if (!element.closest('.tiles') && (left < -1 || right > innerWidth + 1)) faults.push(`out of sight: ${what}`);
  if (element.closest('.deck') && (top < -1 || bottom > innerHeight + 1)) faults.push(`below the edge: ${what}`);
}
// Words that lie over other words, or over a button.
const words = [...document.querySelectorAll('.deck :is(.timecode, .deck-word, .left, .space, button, select), .stage-bar :is(.name, .badge, button)')]
  .filter((element) => element.checkVisibility() && (element.textContent.trim() || element.matches('button')));
for (const [index, one] of words.entries()) {
  for (const other of words.slice(index + 1)) {
    const [a, b] = [one, other].map((element) => element.getBoundingClientRect());
    const over = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
    if (over) faults.push(`${one.className} lies over ${other.className}`);
  }
}
for (const element of [document.documentElement, ...document.querySelectorAll('.main > *, .deck, .control-panel, .dialog')]) {
  if (element.checkVisibility() && element.scrollWidth > element.clientWidth + 1) faults.push(`wider than its room: ${element.className || 'the page'}`);
}
return faults;
"""

# Roles that somebody acts on or goes by: nameless they are of no use.
NAMED = ("button", "link", "slider", "combobox", "textbox", "switch", "checkbox", "radio", "image", "dialog", "meter", "radiogroup")

# Contrast of each text with what is behind it (WCAG 2.2, 1.4.3): 4.5 to 1, large text 3 to 1. Texts over pictures have a shade of
# their own behind them, and what is switched off may be faint.
CONTRAST = """
const paint = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
const over = (colours) => {
  paint.clearRect(0, 0, 1, 1);
  for (const colour of colours) { paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1); }
  return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
};
const luminance = (colour) => {
  const [r, g, b] = colour.map((v) => { const s = v / 255; return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4; });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const faults = new Set();
let seen = 0;
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
  if (element.closest('.picture, .countdown, :disabled, [aria-disabled=true], option, :has(> :disabled)')) continue;
  const behind = [];
  for (let at = element; at; at = at.parentElement) behind.unshift(getComputedStyle(at).backgroundColor);
  const style = getComputedStyle(element);
  const [light, dark] = [over([...behind, style.color]), over(behind)].map(luminance).sort((a, b) => b - a);
  const ratio = (light + 0.05) / (dark + 0.05);
  const size = parseFloat(style.fontSize);
  seen += 1;
  const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 600) ? 3 : 4.5;
  if (ratio < least) faults.add(`${ratio.toFixed(2)} to 1: ${element.className} "${walker.currentNode.textContent.trim().slice(0, 40)}"`);
}
return seen < 5 ? ['no text was looked at'] : [...faults];
"""


def audit(browser: Browser, where: str) -> list[str]:
    nameless = [f"a {role} without a name" for role, name in browser.accessible() if role in NAMED and not name]
    return [f"{where}: {fault}" for fault in browser.script(AUDIT) + nameless]


@needs_mock
def everything_for_a_finger(stage: Stage) -> None:
    """at 360 pixels nothing is too small for a finger, nameless, or out of sight"""
    browser = stage.browser(360, 740)
    faults = []

    def look(where: str) -> None:
        faults.extend(audit(browser, where))
    browser.open(f"{stage.rig.url}/")
    eventually("the pairing page", lambda: browser.count(".pairing-form"))
    look("pairing")
    pair(browser, stage.rig.url, stage.rig.pairing_code("admin"), "finger test")
    all_move(browser)
    look("live")
    browser.click(".tile:first-child")
    eventually("large", lambda: browser.count(".stage"))
    look("large")
    browser.click("[aria-label='Camera settings']")
    eventually("the window", lambda: browser.count("dialog"))
    look("settings")
    browser.press("Escape")
    browser.click("[aria-label='Controls (C)']")
    eventually("controls", lambda: browser.count(".control-panel"))
    look("controls")
    browser.click("[aria-label='Controls (C)']")
    browser.click(".mode[data-mode=photo]")
    look("photo")
    press_record(browser)
    browser.click(".mode[data-mode=timelapse]")
    look("timelapse")
    browser.click(".mode[data-mode=video]")
    press_record(browser)
    eventually("recording", lambda: is_recording(browser))
    look("recording")
    press_record(browser)
    eventually("stopped", lambda: is_ready(browser))
    browser.open(f"{stage.rig.url}/#/takes")
    eventually("the take", lambda: browser.count(".take-row"))
    look("takes")
    browser.click(".take-row")
    eventually("its clips", lambda: browser.count(".clip"))
    look("a take")
    browser.open(f"{stage.rig.url}/#/photos")
    eventually("the photo", lambda: browser.count(".photo-tile"))
    look("photos")
    browser.open(f"{stage.rig.url}/#/monitors")
    eventually("monitors", lambda: browser.count(".panel"))
    browser.click(".panel button.primary")
    eventually("the code", lambda: browser.count(".code"))
    look("monitors")
    # A code that is photographed leads where its link says.
    first, other = browser.script("return [...document.querySelectorAll('.code-link')].map((link) => link.href)")
    browser.script("document.querySelector('.qr').scrollIntoView()")
    drawn = scanned(stage, browser)
    assert drawn in (first, other), drawn
    browser.click(".code-row:not([data-drawn]) [aria-label='Show the QR code of this link']")
    browser.script("document.querySelector('.qr').scrollIntoView()")
    assert scanned(stage, browser) == (other if drawn == first else first)
    assert not faults, "\n".join(faults)


@needs_mock
def every_form_of_window(stage: Stage) -> None:
    """the same on the smallest phone, on a phone on its side, in a laptop's window at 200 %, and upright on a tablet; the whole deck is
    always in sight"""
    browser = stage.paired("admin")
    all_move(browser)
    faults = []
    for width, height in ((320, 568), (740, 360), (640, 400), (768, 1024), (1024, 768), (1280, 800)):
        browser.resize(width, height)
        for mode in ("photo", "timelapse", "video"):
            browser.click(f".mode[data-mode={mode}]")
            faults += audit(browser, f"{width}×{height} {mode}")
        browser.press("1")
        eventually("large", lambda: browser.count(".stage"))
        browser.click(".mode[data-mode=photo]")
        faults += audit(browser, f"{width}×{height} large, photo")
        browser.press("c")
        eventually("controls", lambda: browser.count(".control-panel"))
        faults += audit(browser, f"{width}×{height} controls")
        stage.keep(browser, f"window-{width}x{height}")
        browser.press("c")
        browser.press("Escape")
        eventually("the grid", lambda: browser.count(".stage") == 0)
    assert not faults, "\n".join(faults)


# Words of the deck of which a part is not seen, where its shutter is, and how high it stands.
DECK = """
const cut = [...document.querySelectorAll('.deck :is(.timecode, .deck-word, .deck-name, .left, .mode > span, .deck-button > span)')]
  .filter((e) => e.checkVisibility() && e.textContent.trim())
  .filter((e) => {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    return e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== 'inline' || e.scrollHeight > e.clientHeight + 2 && getComputedStyle(e).display !== 'inline'
      || left < 0 || right > innerWidth || top < document.querySelector('.deck').getBoundingClientRect().top || bottom > innerHeight;
  }).map((e) => `${e.className}: ${e.textContent}`);
const record = document.querySelector('.record').getBoundingClientRect();
return { cut, place: [document.querySelector('.deck').offsetTop, Math.round(record.left), Math.round(record.top)] };
"""


@needs_mock
def a_deck_that_can_be_read(stage: Stage) -> None:
    """on a phone the deck cuts off none of its words, in the dark and in the light, and neither it nor its shutter moves whatever it says"""
    browser = stage.paired("operator", 360, 740)
    all_move(browser)
    left = cameras(browser)[0]
    stage.rig.tell("camera", id=left, set={"name": "Above the drummer"})
    more = {f"more-{number}": {"name": f"More {number}", "state": "failed", "message": "", "enabled": True, "wish": {}} for number in range(8)}
    places, faults = {}, []

    def look(where: str, says: str) -> None:
        eventually(f"{where}: {says}", lambda: says in browser.text(".deck-word"))
        for scheme in ("dark", "light"):
            browser.scheme(scheme)
            found = browser.script(DECK)
            faults.extend(f"{where}: {what}" for what in found["cut"] + audit(browser, scheme) + browser.script(CONTRAST))
            places[f"{where}, {scheme}"] = found["place"]
            stage.keep(browser, f"deck-{where.replace(' ', '-').replace(',', '')}-{scheme}")

    def modes(where: str, whose: str) -> None:
        browser.click(".mode[data-mode=photo]")
        look(f"{where}, photo", f"Photo of {whose}")
        browser.click(".mode[data-mode=timelapse]")
        look(f"{where}, timelapse", f"Photo of {whose}")
        browser.click(".mode[data-mode=video]")
    for width, height in ((360, 740), (320, 568)):
        browser.resize(width, height, 2)
        places.clear()
        look(f"{width} ready", "Ready")
        stage.rig.tell("patch", patch={"cameras": more})
        modes(f"{width}", "10 cameras")
        stage.rig.tell("patch", patch={"cameras": dict.fromkeys(more)})
        browser.press("1")
        eventually("large", lambda: browser.count(".stage"))
        modes(f"{width} large", "Above the drummer")
        browser.press("Escape")
        eventually("the grid", lambda: browser.count(".stage") == 0)
        browser.click(".take-name")
        browser.type("dialog input", "Rehearsal 12")
        browser.click("dialog .primary")
        eventually("named", lambda: "Rehearsal" in browser.text(".deck-name"))
        look(f"{width} named", "Ready")
        press_record(browser)
        look(f"{width} recording", "Recording")
        modes(f"{width} recording", "2 cameras")
        stage.rig.tell("patch", patch={"timelapse": {"id": "t", "intervalSeconds": 900, "pictures": 1234, "cameras": {}}})
        browser.click(".mode[data-mode=timelapse]")
        look(f"{width} timelapse runs", "1,234 pictures, every 15 min")
        stage.rig.tell("patch", patch={"timelapse": None})
        browser.click(".mode[data-mode=video]")
        press_record(browser)
        eventually("stopped", lambda: is_ready(browser))
        if len(set(map(tuple, places.values()))) > 1:
            faults.append(f"the deck or its shutter moved: {places}")
    assert not faults, "\n".join(faults)


@needs_mock
def can_be_read(stage: Stage) -> None:
    """each text stands out from what is behind it, in the dark and in the light; whoever wants no motion sees none"""
    browser = stage.paired("admin")
    all_move(browser)
    left = cameras(browser)[0]
    stage.rig.tell("patch", patch={"disk": {"freeBytes": 1_000_000_000}, "problems": {"x": {"text": "The media directory is missing. Mount it."}}})
    stage.rig.tell("camera", id=left, set={"stream": {"lost": {"driverGap": 17}}})
    faults = []
    for scheme in ("dark", "light"):
        browser.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        eventually(scheme, lambda: browser.script("return document.documentElement.dataset.theme") == scheme)
        time.sleep(0.3)  # What fades in is read when it is there.
        browser.open(f"{stage.rig.url}/#/live")
        eventually("the grid", lambda: browser.count(".tile"))
        press_record(browser)
        eventually("recording", lambda: is_recording(browser))
        faults += [f"{scheme}, live: {fault}" for fault in browser.script(CONTRAST)]
        browser.press("1")
        eventually("large", lambda: browser.count(".stage"))
        browser.press("c")
        eventually("controls", lambda: browser.count(".control-panel"))
        faults += [f"{scheme}, controls: {fault}" for fault in browser.script(CONTRAST)]
        browser.click("[aria-label='Camera settings']")
        eventually("the window", lambda: browser.count("dialog"))
        faults += [f"{scheme}, settings: {fault}" for fault in browser.script(CONTRAST)]
        browser.press("Escape")
        browser.press("c")
        press_record(browser)
        eventually("stopped", lambda: is_ready(browser))
        for view in ("takes", "photos", "monitors"):
            browser.open(f"{stage.rig.url}/#/{view}")
            eventually(view, lambda view=view: browser.count(f".{view}-view"))
            faults += [f"{scheme}, {view}: {fault}" for fault in browser.script(CONTRAST)]
        stage.keep(browser, f"read-{scheme}")
    assert not faults, "\n".join(faults)

    browser.open(f"{stage.rig.url}/#/live")
    all_move(browser)
    motions = lambda: browser.script("return document.getAnimations().length")
    stage.rig.tell("event", method="photo.taken", params={"shot": "s", "camera": left, "file": "x.jpg"})
    eventually("the picture flashes", motions)
    browser.cdp("Emulation.setEmulatedMedia", features=[{"name": "prefers-reduced-motion", "value": "reduce"}])
    eventually("at rest", lambda: motions() == 0)
    stage.rig.tell("event", method="photo.taken", params={"shot": "s", "camera": left, "file": "x.jpg"})
    stage.rig.tell("patch", patch={"rig": {"name": "after-it"}})
    eventually("the event has come", lambda: browser.text(".rig-name") == "after-it")
    assert motions() == 0


@needs_mock
def by_tab_alone(stage: Stage) -> None:
    """Tab reaches all that can be pressed, in the order in which it stands, and shows where it is"""
    browser = stage.paired("operator")
    all_move(browser)
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    browser.press("c")
    eventually("controls", lambda: browser.count(".control-panel"))
    wanted = browser.script("""
        const all = [...document.querySelectorAll('button, a[href], input, select, summary')].filter((e) => e.checkVisibility() && !e.disabled
          && !(e.type === 'radio' && !e.checked));
        all.forEach((element, index) => { element.dataset.order = index; });
        document.activeElement.blur();
        return all.length;""")
    reached, faint = [], []
    for _ in range(wanted + 5):
        browser.press("Tab")
        order, ring, what = browser.script("""
            const at = document.activeElement;
            const shown = at.closest('.segment') ?? at;
            return [at.dataset.order ?? null, getComputedStyle(shown).outlineStyle, at.outerHTML.slice(0, 90)];""")
        if order is None:
            continue
        if int(order) in reached:
            break
        reached.append(int(order))
        if ring == "none":
            faint.append(what)
    assert sorted(reached) == list(range(wanted)), f"of {wanted} reached {reached}"
    assert reached == sorted(reached), f"out of order: {reached}"
    assert not faint, f"no ring around {faint}"


@needs_mock
def a_refusal_in_a_window(stage: Stage) -> None:
    """what the rig refuses is read in front of the window in which it was asked"""
    browser = stage.paired("operator")
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    browser.click("[aria-label='Camera settings']")
    eventually("the window", lambda: browser.count("dialog"))
    other = browser.script("return document.querySelectorAll('.tile .name')[1].textContent")
    browser.type("dialog .row-form input[type=text]", other)
    browser.click("dialog form.row-form button")
    eventually("the refusal", lambda: browser.count("dialog .toast"))
    browser.click("dialog .toast button")
    eventually("dismissed", lambda: browser.count(".toast") == 0)


@needs_mock
def controls_of_a_camera(stage: Stage) -> None:
    """a slider that is dragged floods nobody, arrives where it was let go, and does not jump; a second page follows"""
    browser = stage.paired("operator")
    other = stage.paired("viewer")
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    browser.press("c")
    eventually("the controls", lambda: browser.count(".control[data-control='zoom_absolute']"))
    other.press("1")
    eventually("large there, too", lambda: other.count(".stage"))
    other.press("c")
    eventually("a viewer sees them", lambda: other.count(".control[data-control='zoom_absolute']"))
    assert other.script("return [...document.querySelectorAll('.control-panel input')].every((input) => input.disabled)")
    path = browser.script("""
        const slider = document.querySelector("input[data-control='zoom_absolute']");
        const shown = [];
        const at = (value) => { slider.value = value; slider.dispatchEvent(new Event('input', { bubbles: true })); };
        slider.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
        for (let value = 110; value <= 400; value += 2) at(value);
        window.sliderPath = shown;
        new MutationObserver(() => shown.push(slider.value)).observe(slider.parentElement, { subtree: true, characterData: true, childList: true });
        slider.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));
        return slider.value;""")
    assert path == "400", path
    eventually("the other page shows where it was let go", lambda: other.script(
        "return document.querySelector(\"input[data-control='zoom_absolute']\").value") == "400")
    time.sleep(0.5)
    jumps = browser.script("return window.sliderPath.filter((value) => value !== '400')")
    assert not jumps, f"the slider jumped to {jumps}"
    sets = stage.rig.tell("calls")["calls"].count("control.set")
    assert 2 <= sets <= 10, f"{sets} messages for one drag"
    assert browser.script("return document.querySelector(\"input[data-control='exposure_time_absolute']\").disabled"), "automatic holds it"
    browser.script("const menu = document.querySelector(\"select[data-control='auto_exposure']\"); menu.value = '1'; menu.dispatchEvent(new Event('change'));")
    eventually("manual exposure can be moved", lambda: browser.script(
        "return !document.querySelector(\"input[data-control='exposure_time_absolute']\").disabled"))
    stage.keep(browser, "controls")


@needs_mock
def long_numbers(stage: Stage) -> None:
    """a number of 64 bits arrives as it was typed, the bits of a mask in hexadecimal, and what cannot be is refused with the reason"""
    browser = stage.paired("operator")
    all_move(browser)
    camera = cameras(browser)[0]
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    browser.press("c")
    field = lambda key: f"input[data-control='{key}']"
    shown = lambda key: browser.script("return document.querySelector(arguments[0]).value", field(key))
    kept = lambda key: stage.rig.tell("controls")["controls"][camera][key]["value"]

    def typed(key, text):
        browser.script("""
            const input = document.querySelector(arguments[0]);
            input.focus();
            input.value = arguments[1];
            input.dispatchEvent(new Event('change'));
            input.blur();""", field(key), text)
    eventually("the fields", lambda: browser.count(field("integer_64_bits")))
    eventually("bits in hexadecimal", lambda: shown("bitmask") == "0x2000")
    typed("integer_64_bits", "0x7fffffffffffffff")
    eventually("exact on the rig", lambda: kept("integer_64_bits") == 2**63 - 1)
    eventually("exact on the page", lambda: shown("integer_64_bits") == "9223372036854775807")
    typed("integer_64_bits", "-9007199254740993")
    eventually("a decimal one", lambda: kept("integer_64_bits") == -9007199254740993)
    typed("bitmask", "0x80000000")
    eventually("other bits", lambda: kept("bitmask") == 0x80000000)
    typed("bitmask", "0x1")
    eventually("why not", lambda: browser.shows("bitmask has only the bits of 0x80002000."))
    eventually("as it was", lambda: shown("bitmask") == "0x80000000")
    typed("integer_64_bits", "many")
    eventually("why not a word", lambda: browser.shows("integer_64_bits takes a whole number."))
    eventually("the number as it was", lambda: shown("integer_64_bits") == "-9007199254740993")
    stage.keep(browser, "long-numbers")


@needs_mock
def low_light(stage: Stage) -> None:
    """a camera that gives up its rate for light is told to keep it by a button beside the note, and its control says the same"""
    browser = stage.paired("operator")
    other = stage.paired("viewer")
    all_move(browser)
    camera = cameras(browser)[0]
    hint = ("Only 7.5 of 15 pictures a second come: in low light the camera exposes longer. Its control “Keep the frame rate” prevents that: "
            "camrigctl set CAMERA keep-frame-rate=on")
    stage.rig.tell("patch", patch={"controls": {camera: {"exposure_dynamic_framerate": {"value": True}}}})
    stage.rig.tell("camera", id=camera, set={"hints": [hint], "stream": {"measuredRate": 7.5}})
    eventually("the note", lambda: browser.shows(hint) and other.shows(hint))
    assert browser.count(".banner .cure") == 1 and other.count(".banner .cure") == 0
    stage.keep(browser, "low-light")
    browser.resize(360, 740)
    stage.keep(browser, "low-light-phone")
    browser.click(".banner .cure")
    value = lambda: stage.rig.tell("controls")["controls"][camera]["exposure_dynamic_framerate"]["value"]
    eventually("kept", lambda: value() is False)
    eventually("no button any more", lambda: browser.count(".banner .cure") == 0)
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    browser.press("c")
    switch = "input[data-control='exposure_dynamic_framerate']"
    eventually("its control is on", lambda: browser.script("return document.querySelector(arguments[0])?.checked ?? null", switch) is True)
    browser.click(switch)
    eventually("off again", lambda: value() is True)


@needs_mock
def framing_of_a_camera(stage: Stage) -> None:
    """mirror, turn and zoom by the form, by the wheel and by dragging the picture; few messages; others see it; not while it is recorded"""
    browser = stage.paired("operator")
    other = stage.paired("viewer")
    all_move(browser)
    camera = cameras(browser)[0]
    asked = lambda: stage.rig.tell("pictures")["pictures"]
    for page in (browser, other):
        page.press("1")
        eventually("large", lambda page=page: page.count(".stage"))
        page.press("c")
        eventually("the form", lambda page=page: page.count(".picture-form"))
    assert other.script("return [...document.querySelectorAll('.picture-form input')].every((input) => input.disabled)")
    assert browser.count("[data-picture=x]") == 0, "the whole picture has no part to choose"
    # What this page sees is what counts: a rig that answers late must not turn the switch back.
    browser.script("document.querySelector('[data-picture=mirror]').click()")
    eventually("the other sees it", lambda: other.script("return document.querySelector('[data-picture=mirror]').checked"))
    assert asked() == [{"mirror": True}], asked()

    moved = browser.script("""
        const zoom = document.querySelector('[data-picture=zoom]');
        const path = [];
        new MutationObserver(() => path.push(Number(zoom.value))).observe(zoom.parentElement, { subtree: true, characterData: true, childList: true });
        window.zoomPath = path;
        for (let value = 1.05; value <= 4; value += 0.05) { zoom.value = value; zoom.dispatchEvent(new Event('input', { bubbles: true })); }
        return zoom.value;""")
    assert moved == "4", moved
    eventually("the other page follows", lambda: other.script("return document.querySelector('[data-picture=zoom]').value") == "4")
    time.sleep(0.6)
    assert browser.script("return window.zoomPath.filter((value) => value !== 4)") == [], "the slider jumped"
    assert 3 <= len(asked()) <= 8, f"{len(asked())} messages for one drag: {asked()}"
    assert asked()[-1] == {"zoom": 4, "x": 0.5, "y": 0.5}, asked()[-1]

    # Ten steps of the hand, a tenth of the picture to the right: at 4 times, the part goes a fortieth to the left.
    width = browser.script("""
        const { width, height } = document.querySelector('.stage .picture').getBoundingClientRect();
        return Math.min(width, height * 16 / 9);""")
    browser.drag(".stage .picture", round(width / 100) * 10, 0)
    eventually("the part goes with the hand", lambda: abs(asked()[-1]["x"] - 0.475) < 0.003 and asked()[-1]["y"] == 0.5)
    assert len(asked()) <= 16, f"{len(asked())} messages"
    browser.script("""
        const picture = document.querySelector('.stage .picture');
        const { x, y, width, height } = picture.getBoundingClientRect();
        for (let notch = 0; notch < 30; notch += 1) picture.dispatchEvent(new WheelEvent('wheel',
          { deltaY: 100, clientX: x + width / 2, clientY: y + height / 2, bubbles: true, cancelable: true }));""")
    eventually("the wheel leads back to the whole", lambda: asked()[-1] == {"zoom": 1, "x": 0.5, "y": 0.5})
    eventually("the form shows it", lambda: browser.count("[data-picture=x]") == 0)

    browser.script("document.querySelector('.segment input[value=\"90\"]').click()")
    upright = "const canvas = document.querySelector('.stage canvas'); return canvas.height > canvas.width"
    for page in (browser, other):
        eventually("it stands upright", lambda page=page: page.script(upright))
    stage.keep(browser, "framing")
    browser.press("Escape")
    box = f"const {{ width, height }} = document.querySelector(\".tile[data-camera='{camera}'] .picture\").getBoundingClientRect(); return height > width"
    eventually("its tile, too", lambda: browser.script(box))
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))

    press_record(browser)
    eventually("recording", lambda: is_recording(browser))
    eventually("it stays as it is", lambda: browser.script("return document.querySelector('[data-picture=zoom]').disabled"))
    before = len(asked())
    browser.drag(".stage .picture", 50, 0)
    press_record(browser)
    eventually("stopped", lambda: is_ready(browser))
    assert len(asked()) == before, "nothing is asked while it is recorded"
    why = "H.264 pictures come from the camera as they are."
    stage.rig.tell("camera", id=camera, set={"pictureRefusal": why})
    eventually("why not", lambda: why in browser.text(".picture-form"))
    assert browser.count(".picture-form input") > 0, "what was chosen can be taken back"
    stage.rig.tell("camera", id=camera, set={"picture": dict.fromkeys(("mirror", "rotate", "zoom", "x", "y"))})
    eventually("nothing to choose", lambda: browser.count(".picture-form input") == 0)


@needs_mock
def torches_and_meters(stage: Stage) -> None:
    """the torch goes on and off, others see it; meters move while they are seen"""
    browser = stage.paired("operator")
    other = stage.paired("operator")
    all_move(browser)
    browser.click(".torch")
    eventually("both torches", lambda: browser.count(".torch-row") == 2)
    browser.click(".torch-row:first-child input[role=switch]")
    eventually("the other page sees the light", lambda: other.script("return document.querySelector('.torch').getAttribute('aria-pressed')") == "true")
    browser.click(".torch-row:first-child input[role=switch]")
    eventually("and that it is off again", lambda: other.script("return document.querySelector('.torch').getAttribute('aria-pressed')") == "false")
    browser.press("Escape")
    eventually("meters are asked for", lambda: "microphone.meter" in stage.rig.tell("calls")["calls"])
    browser.open(f"{stage.rig.url}/#/takes")
    eventually("nobody looks at them", lambda: "microphone.meter" in stage.rig.tell("calls")["calls"][-6:])


# What the page gives the loudspeaker: pieces, how loud, and how many turns of the tone in how much time in the loud
# ones, from the first rise of a piece to its last: a piece may begin anywhere within a turn, and within the beep.
EAVESDROP = """
window.heard = { pieces: 0, peak: 0, turns: 0, turning: 0, loudSeconds: 0, last: -1, overlaps: 0 };
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function (at) {
  const values = this.buffer.getChannelData(0);
  const peak = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  heard.pieces += 1;
  heard.peak = Math.max(heard.peak, peak);
  if (at < heard.last - 1e-6) heard.overlaps += 1;
  heard.last = at + this.buffer.duration;
  if (peak > 0.1 && values.filter((value) => Math.abs(value) > 0.01).length > values.length / 2) {
    heard.loudSeconds += this.buffer.duration;
    const rises = [];
    for (let i = 1; i < values.length; i += 1) if (values[i - 1] < 0 && values[i] >= 0) rises.push(i);
    heard.turns += rises.length - 1;
    heard.turning += (rises.at(-1) - rises[0]) / this.buffer.sampleRate;
  }
  return start.call(this, at);
};
"""
LISTEN = ".stage-bar .listen"


def listening(stage: Stage) -> None:
    """the large camera's microphone is heard once somebody asks for it: the beep of 1 kHz, piece behind piece; then not any more"""
    browser = stage.paired("viewer")
    all_move(browser)
    browser.script(EAVESDROP)
    browser.press("1")
    eventually("a button to listen", lambda: browser.count(LISTEN) == 1)
    time.sleep(0.5)
    assert browser.script("return heard.pieces") == 0, "it sounds unasked"
    assert browser.script(f"return document.querySelector({LISTEN!r}).getAttribute('aria-pressed')") == "false"
    browser.click(LISTEN)
    eventually("sound", lambda: browser.script("return heard.loudSeconds") > 0.15)
    eventually("it shows that it is heard", lambda: browser.count(f"{LISTEN}[data-heard]"))
    heard = browser.script("return heard")
    assert 0.2 < heard["peak"] < 0.3 and heard["overlaps"] == 0, heard
    assert abs(heard["turns"] / heard["turning"] - 1000) < 10, heard
    stage.keep(browser, "listening")
    browser.click(LISTEN)
    pieces = browser.script("return heard.pieces")
    time.sleep(0.5)
    assert browser.script("return heard.pieces") <= pieces + 1, "it still sounds"
    browser.click(LISTEN)
    eventually("sound again", lambda: browser.script("return heard.pieces") > pieces + 10)
    browser.open(f"{stage.rig.url}/#/takes")
    eventually("the view without it", lambda: browser.count(LISTEN) == 0)
    pieces = browser.script("return heard.pieces")
    time.sleep(0.5)
    assert browser.script("return heard.pieces") <= pieces + 1, "it still sounds"


@needs_mock
def nobody_listens(stage: Stage) -> None:
    """a camera without a microphone has no button; going to it ends the sound, and the rig is told"""
    browser = stage.paired("viewer")
    all_move(browser)
    browser.press("1")
    eventually("a button to listen", lambda: browser.count(LISTEN) == 1)
    browser.click(LISTEN)
    eventually("the rig plays", lambda: stage.rig.tell("listeners")["listeners"] == 1)
    microphones = {f"mic-{number}": {"state": "offline", "message": "It is not plugged in."} for number in (1, 2)}
    stage.rig.tell("patch", patch={"microphones": microphones})
    eventually("the button has gone", lambda: browser.count(LISTEN) == 0)
    eventually("the rig is told", lambda: stage.rig.tell("listeners")["listeners"] == 0)
    stage.rig.tell("patch", patch={"microphones": {"mic-1": {"state": "idle", "message": ""}}})
    eventually("it goes on by itself", lambda: stage.rig.tell("listeners")["listeners"] == 1)


@needs_mock
def photos_in_a_row(stage: Stage) -> None:
    """photos in a row come as fast as was chosen, the largest size is asked for, and not while a take runs"""
    browser = stage.paired("operator")
    all_move(browser)
    asked = lambda: stage.rig.tell("photos")["photos"]
    browser.click(".mode[data-mode=photo]")
    row = "return document.querySelectorAll('.deck-select')[1]"
    choose = f"{row}.value = arguments[0]"
    browser.script(choose.removeprefix("return "), "5/0")
    press_record(browser)
    eventually("fast", lambda: asked() == [{"count": 5, "intervalSeconds": 0}])
    browser.script(choose.removeprefix("return "), "still")
    stage.keep(browser, "photo-deck")
    press_record(browser)
    eventually("a still", lambda: asked()[1:] == [{"source": "still"}])
    browser.click(".mode[data-mode=video]")
    press_record(browser)
    eventually("recording", lambda: is_recording(browser))
    browser.click(".mode[data-mode=photo]")
    eventually("held back", lambda: browser.script(f"{row}.value") == "1/0")
    assert browser.script(f"{row}.querySelector('optgroup').label") == "Largest size: not while recording"
    assert browser.script(f"{row}.querySelector('optgroup').disabled")
    browser.click(".mode[data-mode=video]")
    press_record(browser)
    eventually("stopped", lambda: is_ready(browser))


@needs_mock
def a_photo_by_flash(stage: Stage) -> None:
    """where there is a light, a photo may be taken by it: asked for only while the switch is on, and offered only where there is one"""
    browser = stage.paired("operator")
    all_move(browser)
    asked = lambda: stage.rig.tell("photos")["photos"]
    browser.click(".mode[data-mode=photo]")
    press_record(browser)
    eventually("a photo without", lambda: asked() == [{}])
    browser.click(".flash")
    assert browser.script("return document.querySelector('.flash').getAttribute('aria-pressed')") == "true"
    press_record(browser)
    eventually("a photo with it", lambda: asked() == [{}, {"flash": "on"}])
    browser.click(".mode[data-mode=video]")
    press_record(browser)
    eventually("recording", lambda: is_recording(browser))
    take = browser.script("return fetch('/rpc', { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'take.list' }) }).then((r) => r.json())")["result"][0]["id"]
    browser.click(".mode[data-mode=photo]")
    press_record(browser)
    eventually("a photo with it, and of the take", lambda: len(asked()) == 3)
    browser.open(f"{stage.rig.url}/#/photos")
    said = lambda: browser.script("return [...document.querySelectorAll('.photo-notes')].map((notes) => notes.checkVisibility() ? notes.textContent : '')")
    eventually("how each was taken", lambda: said() == ["With flash, while recording"] * 2 + ["With flash"] * 2 + [""] * 2)
    stage.keep(browser, "photos-notes")
    browser.script("document.querySelector('.photo-tile').click()")
    eventually("its take", lambda: browser.shows("Go to its take"))
    browser.click("dialog a[href^='#/takes']")
    eventually("the take", lambda: browser.script("return location.hash") == f"#/takes/{take}" and not browser.count("dialog"))
    browser.open(f"{stage.rig.url}/#/live")
    browser.click(".mode[data-mode=video]")
    press_record(browser)
    eventually("stopped", lambda: is_ready(browser))
    browser.click(".mode[data-mode=photo]")
    before = asked()
    stage.rig.tell("patch", patch={"torches": None})
    eventually("no light, no flash", lambda: browser.count(".flash") == 0)
    press_record(browser)
    eventually("none is asked for", lambda: asked() == [*before, {}])


@needs_mock
def one_microphone_for_several(stage: Stage) -> None:
    """a microphone is chosen for a second camera, keeps the first, moves both meters, and goes back to automatic"""
    browser = stage.paired("operator")
    all_move(browser)
    left, right = cameras(browser)[:2]
    row = "dialog .microphone[data-microphone='mic-1']"
    known = lambda: browser.script("return document.querySelector(arguments[0])?.checked", f"{row} input[role=switch]")
    browser.press("2")
    eventually("large", lambda: browser.count(f".stage[data-camera='{right}']"))
    browser.click("[aria-label='Camera settings']")
    eventually("both microphones", lambda: browser.count("dialog .microphone") == 2)
    assert known() is False and browser.count("dialog .microphone-details") == 1
    browser.click(f"{row} > .switch-row input")
    eventually("it goes with both", lambda: "also with Left" in browser.text(row) and known() is True)
    assert browser.count("dialog .microphone-details") == 2, "each has its own gain"
    stage.keep(browser, "microphones")
    browser.press("Escape")
    browser.press("1")
    eventually("large", lambda: browser.count(f".stage[data-camera='{left}']"))
    browser.click("[aria-label='Camera settings']")
    eventually("the first camera kept it", lambda: known() is True and "also with Right" in browser.text(row))
    browser.click(f"{row} > .actions button[aria-label^='Back']")
    eventually("as at first", lambda: known() is True and "also with" not in browser.text(row))
    browser.press("Escape")


@needs_mock
def a_microphone_is_switched_off(stage: Stage) -> None:
    """a microphone is switched off for everybody, is called so, keeps its cameras, and is switched on again by another monitor; the page of
    one who may not has no way to it"""
    browser = stage.paired("operator")
    other = stage.paired("operator", 360, 740)
    viewer = stage.paired("viewer")
    all_move(browser)
    row = "dialog .microphone[data-microphone='mic-1']"
    pairing = lambda page: page.script("const s = document.querySelector(arguments[0]); return [s.checked, s.disabled]", f"{row} input[role=switch]")
    for page in (browser, other, viewer):
        page.press("1")
        eventually("large", lambda page=page: page.count(".stage"))
    assert viewer.count("[aria-label='Camera settings']") == 0, "who may not change it is offered nothing"
    eventually("it can be heard", lambda: browser.count(LISTEN) == 1)
    for page in (browser, other):
        page.click("[aria-label='Camera settings']")
        eventually("both microphones", lambda page=page: page.count("dialog .microphone") == 2)
    assert pairing(browser) == [True, False] and browser.count(f"{row} .microphone-details") == 1
    browser.click(f"{row} button[aria-label^='Switch microphone off']")
    for page in (browser, other):
        eventually("it is called so", lambda page=page: "Switched off" in page.text(f"{row} .hint"))
        assert "camrigctl" not in page.text(row), "its cure is the button"
        assert pairing(page) == [True, True] and page.count(f"{row} .microphone-details") == 0
    assert viewer.count(LISTEN) == 0, "what is off cannot be heard"
    assert not audit(other, "switched off")
    stage.keep(other, "microphone-off")
    other.click(f"{row} button[aria-label^='Switch microphone on']")
    for page in (browser, other):
        eventually("as before", lambda page=page: pairing(page) == [True, False] and page.count(f"{row} .microphone-details") == 1)
    eventually("and heard again", lambda: viewer.count(LISTEN) == 1)


@needs_mock
def a_microphone_changes_elsewhere(stage: Stage) -> None:
    """an open window shows the gain, mute, delay and name that another monitor or program gives a microphone, but moves nothing that is
    held here; once it is let go, what was told meanwhile is shown"""
    browser = stage.paired("operator")
    other = stage.paired("operator", 360, 740)
    all_move(browser)
    for page in (browser, other):
        page.press("1")
        eventually("large", lambda page=page: page.count(".stage"))
        page.click("[aria-label='Camera settings']")
        eventually("both microphones", lambda page=page: page.count("dialog .microphone") == 2)
    row = "dialog .microphone[data-microphone='mic-1']"
    slider = f"{row} input[type=range]"
    told = lambda **patch: stage.rig.tell("patch", patch={"microphones": {"mic-1": patch}})
    do = lambda body: browser.script(f"const slider = document.querySelector(arguments[0]); {body}", slider)
    shown = lambda page: page.script("""
        const row = document.querySelector(arguments[0]);
        const slider = row.querySelector('input[type=range]');
        return [slider.value, slider.getAttribute('aria-valuetext'), row.querySelector('output').textContent,
          row.querySelector('.microphone-details input[role=switch]').checked, row.querySelector('input[type=text]').value];""", row)
    do("window.slider = slider;")
    told(gain={"value": 20.5}, muted=True, offsetMilliseconds=40, name="Desk")
    for page in (browser, other):
        eventually("as it was set elsewhere", lambda page=page: shown(page) == ["20.5", "20.5 dB", "20.5 dB", True, "40"] and "Desk" in page.text(row))
    stage.keep(other, "microphone-elsewhere")
    order = browser.script("return [...document.querySelectorAll('dialog .microphone')].map((row) => row.dataset.microphone)")
    assert order == ["mic-1", "mic-2"], f"a new name moved it: {order}"

    do("slider.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));")
    told(gain={"value": 5}, muted=False)
    eventually("the rest follows", lambda: shown(browser)[3] is False)
    assert shown(browser)[:3] == ["20.5", "20.5 dB", "20.5 dB"], "it jumped under the finger"
    do("slider.value = 25; slider.dispatchEvent(new Event('input', { bubbles: true }));")
    eventually("the finger's value arrives", lambda: shown(other)[0] == "25")
    told(gain={"value": 7}, pairing="chosen")
    eventually("another's value comes", lambda: shown(other)[0] == "7")
    eventually("and what goes with it", lambda: browser.count(f"{row} button[aria-label^='Back']"))
    assert shown(browser)[:3] == ["25", "25 dB", "25 dB"], "it jumped under the finger"
    do("slider.dispatchEvent(new PointerEvent('pointerup', { bubbles: true }));")
    eventually("let go, it is as the rig has it", lambda: shown(browser)[:3] == ["7", "7 dB", "7 dB"])
    assert browser.script("return window.slider.isConnected"), "it was made anew under the finger"

    browser.script("const field = document.querySelector(arguments[0]); field.focus(); field.value = '12';", f"{row} input[type=text]")
    told(offsetMilliseconds=99)
    eventually("elsewhere it is shown", lambda: shown(other)[4] == "99")
    told(muted=True)
    eventually("the rest follows", lambda: shown(browser)[3] is True)
    assert shown(browser)[4] == "12", "what is being typed was taken away"
    browser.script("document.querySelector(arguments[0]).blur()", f"{row} input[type=text]")
    eventually("not meant, it gives way", lambda: shown(browser)[4] == "99")
    browser.click(f"{row} .microphone-details input[role=switch]")
    eventually("mute is taken back", lambda: shown(other)[3] is False and shown(browser)[3] is False)
    stage.rig.tell("patch", patch={"microphones": {"mic-2": None}})
    eventually("one that is forgotten goes", lambda: browser.count("dialog .microphone") == 1)


# How much of an element is in sight and not under another one: the least of its middle and its corners, 2 pixels inwards.
IN_SIGHT = """
const element = document.querySelector(arguments[0]);
const { left, top, right, bottom } = element.getBoundingClientRect();
const seen = (x, y) => element.contains(document.elementFromPoint(x, y));
return [[left + 2, top + 2], [right - 2, top + 2], [left + 2, bottom - 2], [right - 2, bottom - 2], [(left + right) / 2, (top + bottom) / 2]]
  .filter(([x, y]) => !seen(x, y));
"""


@needs_mock
def a_code_beside_many_monitors(stage: Stage) -> None:
    """with a dozen paired monitors a new code and its squares appear in sight, whole, on a phone, a laptop and a phone on its side"""
    browser = stage.paired("admin", 360, 740)
    stage.rig.tell("patch", patch={"monitors": {f"m{number}": {"name": f"Tablet of the stage, number {number}", "role": "viewer", "connected": number < 3}
                                                for number in range(12)}})
    for width, height in ((360, 740), (1280, 800), (740, 360)):
        browser.open("about:blank")
        browser.resize(width, height)
        browser.open(f"{stage.rig.url}/#/monitors")
        eventually("all monitors", lambda: browser.count(".monitor-row") == 13)
        assert not browser.script(IN_SIGHT, ".panel button.primary"), f"{width}×{height}: the button is not in sight"
        browser.click(".panel button.primary")
        eventually("the code", lambda: browser.count(".code"))
        for what in (".code", ".qr"):
            hidden = browser.script(IN_SIGHT, what)
            stage.keep(browser, f"monitors-{width}x{height}")
            assert not hidden, f"{width}×{height}: {what} is not in sight at {hidden}"
        assert scanned(stage, browser)


@needs_mock
def a_rig_without_these(stage: Stage) -> None:
    """a rig that has no controls, torches, microphones and photos offers none"""
    stage.rig.stop()
    stage.rig.start("--bare")
    browser = stage.paired("admin")
    all_move(browser)
    browser.press("1")
    eventually("large", lambda: browser.count(".stage"))
    browser.press("c")
    eventually("its framing is the rig's own doing", lambda: browser.count(".picture-form"))
    for what in (".mode", ".torch", ".meter", ".listen", ".control-panel [data-control]", "a[href='#/photos']"):
        assert browser.count(what) == 0, f"{what} is offered"
    browser.click("[aria-label='Camera settings']")
    eventually("the window", lambda: browser.count("dialog"))
    assert browser.count(".sound-form") == 0


ALL = [a_whole_session, a_viewer_only_looks, photos_by_timer, a_timelapse, photos_in_a_row, meters_move, a_wrong_code, a_camera_is_unplugged, a_camera_that_stays_dark,
       trouble_is_told, trouble_in_every_window, a_note_is_put_aside, names_on_a_phone, a_missed_change, a_network_that_swallows_all, out_of_sight, woken, asleep_in_a_dead_network, stays_awake, left_open, names_are_text, a_format_is_chosen,
       a_revoked_monitor, keys, a_double_press, another_release, everything_for_a_finger, every_form_of_window, a_deck_that_can_be_read, can_be_read, by_tab_alone,
       a_refusal_in_a_window, controls_of_a_camera, long_numbers, low_light, framing_of_a_camera, torches_and_meters, listening, nobody_listens, a_photo_by_flash,
       one_microphone_for_several, a_microphone_is_switched_off, a_microphone_changes_elsewhere, a_code_beside_many_monitors, a_rig_without_these, a_paired_monitor_lets_in, the_rigs_own_authority]
