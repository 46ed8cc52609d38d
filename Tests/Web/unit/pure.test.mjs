// The page's rules that need no browser. Run by Tests/Web/run, which lays the modules beside this file.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { backoffDelay } from './backoff.js';
import { busQuestion, busWords } from './bus-plan.js';
import { controlFieldHint, controlFieldText, controlValueText, menuChoices } from './camera-controls.js';
import { rateChoices, setRequest, sizeChoices, formatChoices } from './camera-formats.js';
import { cameraWords, causesText, formatLine, inOrder, lostPictures, sinceText, viewText } from './camera-words.js';
import { parseExactly } from './exact-json.js';
import { LatestWins } from './latest-wins.js';
import { readMediaHeader } from './media-header.js';
import { mergePatch } from './merge-patch.js';
import { microphonesOf, microphoneWords, othersText, withCamera } from './microphones.js';
import { wordsOf } from './mjpeg-player.js';
import { MultipartReader } from './multipart.js';
import { bestLink, codeOfFragment, deviceName, fingerprintText, tidyCode } from './pairing-code.js';
import { photoNotes } from './photo-notes.js';
import { PictureSlot } from './picture-slot.js';
import { clampView, movedView, viewOf, zoomedView } from './picture-view.js';
import { aspectOf, evenWidth, longEdgeFor, tileHeight } from './preview-form.js';
import { qrPath } from './qr-picture.js';
import { RigState } from './rig-state.js';
import { rateCure } from './rate-cure.js';
import { readRoute, routeFragment } from './route.js';
import { SoundSchedule } from './sound-schedule.js';
import { Selection } from './selection.js';
import { byteSize, clipLength, rateText, roughTime, timecode } from './text.js';
import { rigTroubles } from './troubles.js';
import { WakeLock } from './wake-lock.js';
import { ClockGap } from './waking.js';

test('whole numbers that would be rounded are texts, all others are numbers, and texts stay as they are', () => {
  const read = parseExactly(`{"value":9223372036854775807,"minimum" : -9223372036854775808 ,"safe":9007199254740991,"unsafe":9007199254740993,
    "rate":29.970029970029970029,"name":"{\\"value\\":9223372036854775807}","id":"9223372036854775807,","small":12}`);
  assert.deepEqual(read, {
    value: '9223372036854775807', minimum: '-9223372036854775808', safe: 9007199254740991, unsafe: '9007199254740993', rate: 29.97002997002997,
    name: '{"value":9223372036854775807}', id: '9223372036854775807,', small: 12,
  });
  assert.deepEqual(parseExactly('{"hints":["Left,",":9999999999999999,"]}'), { hints: ['Left,', ':9999999999999999,'] });
  assert.deepEqual(parseExactly('{"granted":{"a":1,"b":-9223372036854775807}}'), { granted: { a: 1, b: '-9223372036854775807' } });
});

test('a camera that gives up its rate for light can be told to keep it, and no other', () => {
  const slow = { state: 'streaming', granted: { rate: '30000/1001' }, stream: { measuredRate: 15 } };
  const controls = (value, more) => ({ exposure_dynamic_framerate: { role: 'keep-frame-rate', type: 'boolean', value, ...more } });
  assert.deepEqual(rateCure(slow, controls(true)), { 'keep-frame-rate': true });
  assert.equal(rateCure(slow, controls(false)), null);
  assert.equal(rateCure(slow, controls(true, { flags: ['read-only'] })), null);
  assert.equal(rateCure(slow, { brightness: { role: 'brightness', value: 1 } }), null);
  assert.equal(rateCure({ ...slow, stream: { measuredRate: 25 } }, controls(true)), null);
  assert.equal(rateCure({ ...slow, stream: undefined }, controls(true)), null);
  assert.equal(rateCure({ ...slow, state: 'stalled' }, controls(true)), null);
});

test('the bus is asked for what was chosen after all that others have, and only where there is one', () => {
  const usb = { enabled: true, device: { bus: 'usb-0000:00:14.0-1' } };
  const cameras = { a: usb, b: usb, off: { ...usb, enabled: false }, away: { enabled: true }, csi: { enabled: true, device: { bus: 'platform:csi' } } };
  const ask = (id, choice) => busQuestion({ id, ...cameras[id] }, cameras, choice);
  assert.deepEqual(ask('a', { format: '', size: '1280x720', rate: '30' }), [{ camera: 'b' }, { camera: 'a', size: '1280x720', rate: '30' }]);
  assert.equal(ask('a', { format: '', size: '', rate: '' }), null);
  // What was chosen before would count for what is Automatic now.
  const chosen = { ...cameras, a: { ...cameras.a, wish: { size: '1920x1080' } } };
  assert.equal(busQuestion({ id: 'a', ...chosen.a }, chosen, { format: '', size: '', rate: '30' }), null);
  assert.equal(ask('csi', { format: '', size: '1280x720', rate: '' }), null);
  assert.equal(ask('away', { format: '', size: '1280x720', rate: '' }), null);
});

test('what the bus would carry is said in percent, with who does not fit and what helps', () => {
  const camera = (id, fits = true) => ({ camera: id, name: id.toUpperCase(), fits });
  const buses = [{ bus: 1, percent: 62, fits: true, cameras: [camera('a')], advice: [] },
    { bus: 3, percent: 124, fits: false, cameras: [camera('b'), camera('c', false)], advice: ['Choose less.'] }];
  assert.deepEqual(busWords(buses, 'a'), { fits: true, text: 'USB bus 1 would carry 62 % of what it can.' });
  assert.deepEqual(busWords(buses, 'c'), { fits: false, text: 'USB bus 3 would carry 124 % of what it can. No room for C. Choose less.' });
  assert.equal(busWords(buses, 'd'), null);
});

test('a field shows a value as it may be typed, exactly, and the bits of a mask in hexadecimal', () => {
  assert.equal(controlFieldText({ type: 'bitmask' }, 0x80012000), '0x80012000');
  assert.equal(controlFieldText({ type: 'integer64' }, '9223372036854775807'), '9223372036854775807');
  assert.equal(controlFieldText({ type: 'integer64' }, -12), '-12');
  assert.equal(controlFieldText({ type: 'string' }, 'On air'), 'On air');
  assert.equal(controlFieldHint({ type: 'bitmask', minimum: 0, maximum: 0x80002000 }), 'Bits of 0x80002000');
  assert.equal(controlFieldHint({ type: 'integer64', minimum: '-9223372036854775808', maximum: '9223372036854775807' }),
    'A whole number from -9223372036854775808 to 9223372036854775807; hexadecimal after 0x');
  assert.equal(controlFieldHint({ type: 'string', minimum: 0, maximum: 8 }), '');
});

test('a merge patch does what the examples of RFC 7396 say', () => {
  const examples = [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [['a', 'b'], ['c', 'd'], ['c', 'd']],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ];
  for (const [target, patch, expected] of examples) assert.deepEqual(mergePatch(target, patch), expected);
});

test('a merge patch leaves the old document as it was, and no prototype can be patched', () => {
  const before = { cameras: { a: { name: 'Left' } } };
  const after = mergePatch(before, { cameras: { a: { name: 'Right' } } });
  assert.equal(before.cameras.a.name, 'Left');
  assert.equal(after.cameras.a.name, 'Right');
  mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}'));
  assert.equal({}.polluted, undefined);
});

test('a patch that does not follow asks for the whole; an old one changes nothing', () => {
  const state = new RigState();
  assert.equal(state.patch({ revision: 1, patch: {} }), false);
  state.snapshot({ revision: 5, state: { a: 1 } });
  assert.equal(state.patch({ revision: 6, patch: { a: 2 } }), true);
  assert.equal(state.patch({ revision: 6, patch: { a: 9 } }), true);
  assert.deepEqual(state.value, { a: 2 });
  assert.equal(state.patch({ revision: 8, patch: { a: 3 } }), false);
  state.detach();
  assert.equal(state.patch({ revision: 7, patch: { a: 3 } }), false);
  assert.deepEqual(state.value, { a: 2 });
});

test('the newest picture is shown next, and nothing queues', () => {
  const slot = new PictureSlot();
  assert.equal(slot.arrived('a'), 'a');
  assert.equal(slot.arrived('b'), null);
  assert.equal(slot.arrived('c'), null);
  assert.equal(slot.shown(), 'c');
  assert.equal(slot.shown(), null);
  assert.equal(slot.arrived('d'), 'd');
});

test('of many wishes the newest is sent; what the rig tells counts again a moment after the answer', async (context) => {
  const pauses = [];
  const real = globalThis.setTimeout;
  globalThis.setTimeout = (act, after) => pauses.push({ act, after });
  context.after(() => { globalThis.setTimeout = real; });
  const sent = [];
  const told = [];
  const answers = [];
  const sender = new LatestWins((_key, value) => {
    sent.push(value);
    return new Promise((resolve) => answers.push(resolve));
  }, (_key, granted) => told.push(granted), (key) => told.push(`${key} is free`));
  for (const value of [1, 2, 3]) sender.set('gain', value);
  answers[0]('one');
  await new Promise(setImmediate);
  assert.deepEqual([sent, told], [[1, 3], []]);
  answers[1]('three');
  await new Promise(setImmediate);
  assert.deepEqual(told, ['three']);
  assert.equal(sender.isBusy('gain'), true);
  assert.deepEqual(pauses.map(({ after }) => after), [300]);
  pauses[0].act();
  assert.equal(sender.isBusy('gain'), false);
  assert.deepEqual(told, ['three', 'gain is free']);
});

test('a stream of pictures is cut into its parts, wherever the network cuts it', () => {
  const bytes = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const stream = bytes('--x\r\nContent-Type: image/jpeg\r\nContent-Length: 6\r\n\r\nab\r\n\r\n\r\n--x\r\ncontent-length:0\r\n\r\n\r\n'
    + '--x\r\nContent-Length: 3\r\n\r\nxyz\r\n--x--\r\n');
  for (const size of [1, 2, 7, 1000]) {
    const reader = new MultipartReader();
    const parts = [];
    for (let at = 0; at < stream.length; at += size) parts.push(...reader.push(stream.subarray(at, at + size)));
    assert.deepEqual(parts.map((part) => String.fromCharCode(...part)), ['ab\r\n\r\n', '', 'xyz'], `in pieces of ${size}`);
  }
  assert.throws(() => new MultipartReader().push(bytes('<html>\r\n\r\n')));
  assert.throws(() => new MultipartReader().push(new Uint8Array(9000)));
});

test('what stands in the place of a picture says why none comes', () => {
  assert.equal(wordsOf(Uint8Array.from([0xff, 0xd8, 0xff])), null);
  assert.equal(wordsOf(new TextEncoder().encode('The volume of /media does not answer.')), 'The volume of /media does not answer.');
});

test('the media header is read little-endian, and what is not ours is nothing', () => {
  // The example of docs/ref/media-stream.md, with a sequence that a stream can reach.
  const example = '01 01 01 00 01 02 03 04 11 12 00 00 00 00 00 00 35 4c 9b 3b 00 00 00 00 00 05 d0 02 03 00 15 00';
  const bytes = Uint8Array.from(example.split(' '), (pair) => parseInt(pair, 16));
  assert.deepEqual(readMediaHeader(bytes.buffer), { kind: 'picture', stream: 67305985, sequence: 0x1211, skipped: 3, reduced: true });
  bytes[0] = 2;
  bytes[24] = 2;
  bytes[25] = 0;
  assert.deepEqual(readMediaHeader(bytes.buffer), { kind: 'sound', stream: 67305985, sequence: 0x1211, skipped: 3, channels: 2 });
  bytes[1] = 9;
  assert.equal(readMediaHeader(bytes.buffer), null);
  assert.equal(readMediaHeader(new ArrayBuffer(31)), null);
});

test('times and sizes as people read them', () => {
  assert.equal(timecode(0), '00:00:00');
  assert.equal(timecode(3725.9), '01:02:05');
  assert.equal(timecode(360_000), '100:00:00');
  assert.equal(clipLength(7.4), '0:07');
  assert.equal(clipLength(3599.6), '1:00:00');
  assert.equal(roughTime(42), '42 s');
  assert.equal(roughTime(3600), '1 h');
  assert.equal(roughTime(22_860), '6 h 21 min');
  assert.equal(roughTime(100_000), '1 d 3 h');
  assert.equal(byteSize(0), '0 B');
  assert.equal(byteSize(1_990_000_000), '1.9 GB');
  assert.equal(byteSize(999_999), '999 kB');
  assert.equal(byteSize(412_700_000_000), '412 GB');
  assert.equal(rateText('30000/1001'), '29.97');
  assert.equal(rateText('30'), '30');
  assert.equal(rateText(undefined), '');
});

test('the pause between tries grows to ten seconds and no further', () => {
  assert.equal(backoffDelay(1, 1), 500);
  assert.equal(backoffDelay(1, 0), 375);
  assert.equal(backoffDelay(3, 1), 2000);
  assert.equal(backoffDelay(50, 1), 10_000);
});

test('a pairing code is tidied as it is typed and read from a link', () => {
  assert.equal(tidyCode(' 1234-5678 '), '1234 5678');
  assert.equal(tidyCode('12345678'), '1234 5678');
  assert.equal(codeOfFragment('#code=12345678'), '1234 5678');
  assert.equal(fingerprintText('sha256:a3d8da195f'), 'a3d8 da19 5f');
  assert.equal(codeOfFragment('#code=%zz'), '');
  assert.equal(codeOfFragment('#/live'), '');
  assert.equal(deviceName('Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile/15E148 Safari/604.1'), 'iPhone, Safari');
  assert.equal(deviceName(''), 'Browser');
});

test('an address of the page names a view and a thing, whatever the thing is called', () => {
  for (const id of ['usb-1', 'a/b#c ä%', '']) {
    assert.deepEqual(readRoute(routeFragment('live', id)), { view: 'live', camera: id });
  }
  assert.deepEqual(readRoute('#/takes/%zz'), { view: 'takes', take: '' });
  assert.deepEqual(readRoute('#code=X'), { view: 'live', camera: '' });
});

test('a preview is asked for in the screen\'s own pixels, in steps', () => {
  assert.equal(longEdgeFor(300, 169, 1), 320);
  assert.equal(longEdgeFor(300, 169, 2), 640);
  assert.equal(longEdgeFor(169, 300, 2), 640);
  assert.equal(longEdgeFor(9000, 10, 1), 3840);
});

test('tiles fill the box, all in sight unless they would be too small', () => {
  const wide = (count) => Array(count).fill(16 / 9);
  assert.ok(Math.abs(tileHeight(wide(1), 1600, 960) - 900) < 1, 'one is as large as the box, with its line of text');
  // Two rows of them and no more: 5 of 16:9 in a wide box stand three and two.
  const five = tileHeight(wide(5), 1280, 600);
  assert.ok(3 * Math.floor(five * 16 / 9) + 16 <= 1280 && 2 * (five + 40) + 8 <= 601, `${five}`);
  for (const count of [1, 2, 3, 5, 8, 16]) {
    const tile = tileHeight(wide(count), 1600, 900);
    const columns = Math.floor((1600 + 8) / (Math.floor(tile * 16 / 9) + 8));
    assert.ok(Math.ceil(count / columns) * (tile + 48) - 8 <= 900, `${count} tiles`);
  }
  assert.equal(Math.floor(tileHeight(wide(16), 344, 300) * 16 / 9), 168, 'two beside each other, and the page scrolls');
  assert.equal(tileHeight([], 344, 300), 0);
});

test('rows of tiles are as even as they can be', () => {
  assert.equal(evenWidth(Array(9).fill(300), 1270), 916, 'three by three');
  assert.equal(evenWidth(Array(5).fill(400), 1270), 1216, 'three and two');
  assert.equal(evenWidth([500], 1270), 500);
  assert.equal(evenWidth(Array(2).fill(600), 1270), 1208);
});

test('a picture that stands upright takes the room of one that stands upright', () => {
  const camera = { granted: { size: '1920x1080' } };
  assert.equal(aspectOf(camera), 16 / 9);
  assert.equal(aspectOf({ ...camera, delivered: { size: '1080x1920' } }), 9 / 16);
  assert.equal(aspectOf(camera, [720, 1280]), 9 / 16, 'what was drawn counts more');
  assert.equal(aspectOf({}), 16 / 9);
  assert.equal(aspectOf({}, [4000, 100]), 2.4);
  const upright = tileHeight([9 / 16, 9 / 16, 9 / 16], 1280, 600);
  assert.ok(Math.abs(upright - 560) < 1, `three of them stand side by side at full height: ${upright}`);
});

test('a part of a picture stays within it, goes with the finger, and what is under the finger stays there', () => {
  assert.deepEqual(viewOf(undefined), { zoom: 1, x: 0.5, y: 0.5 });
  assert.deepEqual(viewOf({ zoom: 2, x: 0.9 }), { zoom: 2, x: 0.75, y: 0.5 });
  assert.deepEqual(clampView({ zoom: 99, x: 0, y: 1 }), { zoom: 8, x: 0.0625, y: 0.9375 });
  assert.deepEqual(movedView({ zoom: 1, x: 0.5, y: 0.5 }, 0.3, 0.3), { zoom: 1, x: 0.5, y: 0.5 });
  assert.deepEqual(movedView({ zoom: 4, x: 0.5, y: 0.5 }, 0.5, -0.25), { zoom: 4, x: 0.375, y: 0.5625 });
  const before = { zoom: 2, x: 0.4, y: 0.6 };
  const at = { x: 0.2, y: 0.7 };
  const under = (view) => ({ x: view.x + (at.x - 0.5) / view.zoom, y: view.y + (at.y - 0.5) / view.zoom });
  const after = zoomedView(before, 1.5, at);
  assert.equal(after.zoom, 3);
  assert.ok(Math.abs(under(after).x - under(before).x) < 0.001 && Math.abs(under(after).y - under(before).y) < 0.001);
  assert.deepEqual(zoomedView(before, 0.1), { zoom: 1, x: 0.5, y: 0.5 });
});

test('a microphone may go with several cameras, and keeps the others', () => {
  const microphones = { m: { name: 'Boom', cameras: ['a', 'b'], camera: 'a' }, n: { name: 'Clip', cameras: [] } };
  const boom = { ...microphones.m, id: 'm' };
  assert.deepEqual(microphonesOf(microphones, 'b').map(({ id }) => id), ['m']);
  assert.deepEqual(withCamera(boom, 'c', true), { microphone: 'm', cameras: ['a', 'b', 'c'] });
  assert.deepEqual(withCamera(boom, 'a', true), { microphone: 'm', cameras: ['b', 'a'] });
  assert.deepEqual(withCamera(boom, 'a', false), { microphone: 'm', cameras: ['b'] });
  assert.equal(othersText(boom, 'a', { a: { name: 'Left' }, b: { name: 'Right' } }), 'also with Right');
  assert.equal(othersText(boom, 'c', { a: { name: 'Left' }, b: { name: 'Right' } }), 'with Left and Right');
  assert.equal(othersText({ cameras: ['a'] }, 'a', {}), '');
});

test('a photo by flash or out of a take says so', () => {
  assert.deepEqual([{}, { flash: true }, { take: 'T1' }, { flash: true, take: 'T1' }].map(photoNotes),
    ['', 'With flash', 'While recording', 'With flash, while recording']);
});

test('a machine has slept where the time of day jumps; slow ticks and a clock that is set back are no sleep', () => {
  const clock = new ClockGap(1000);
  assert.deepEqual([1500, 2000, 6900, 6000, 6500].map((wall) => clock.look(wall)), [false, false, false, false, false]);
  assert.equal(clock.look(6500 + 60_000), true);
  assert.equal(clock.look(6500 + 60_500), false);
});

test('a microphone that is switched off is called so, whatever the rig advises', () => {
  assert.equal(microphoneWords({ enabled: false, state: 'disabled', message: 'Use it again with: camrigctl mics set' }), 'Switched off');
  assert.equal(microphoneWords({ enabled: false, state: 'offline', message: '' }), 'Switched off, not plugged in');
  assert.equal(microphoneWords({ enabled: true, state: 'busy', message: 'In use by arecord.' }), 'In use by arecord.');
  assert.equal(microphoneWords({ enabled: true, state: 'idle', message: '', format: { rate: 48000, channels: 1 } }), 'Ready, 48 kHz, mono');
});

test('another device is led to where this page came from, else by number', () => {
  const urls = ['https://rig.local:8470/#code=1', 'https://192.168.1.5:8470/#code=1', 'https://10.0.0.2:8470/#code=1', 'https://127.0.0.1:8470/#code=1'];
  assert.equal(bestLink(urls, 'rig.local'), 0);
  assert.equal(bestLink(urls, '10.0.0.2'), 2);
  assert.equal(bestLink(urls, '127.0.0.1'), 1);
  assert.equal(bestLink([urls[0], urls[3]], 'localhost'), 0);
  assert.equal(bestLink([urls[3]], '127.0.0.1'), 0);
  assert.equal(bestLink([], '127.0.0.1'), -1);
});

test('a QR code is drawn dark where its rows say 1', () => {
  assert.equal(qrPath(['110', '001']), 'M0 0h2v1h-2zM2 1h1v1h-1z');
  assert.equal(qrPath([]), '');
});

test('a tile says what is wrong and since when, if a clock can be believed', () => {
  assert.equal(cameraWords({ state: 'failed', cause: 'noPermission' }).title, 'The rig may not use it');
  assert.equal(cameraWords({ state: 'failed', cause: 'noSignal' }).title, 'No signal');
  assert.equal(cameraWords({ state: 'busy', cause: 'inUse' }).title, 'In use by another program');
  assert.equal(cameraWords({ state: 'streaming', cause: 'spoiltPictures' }).title, '');
  assert.equal(cameraWords({ state: 'failed', cause: 'ofTomorrow' }).title, 'Cannot be used');
  const now = Date.parse('2026-11-30T12:00:00Z');
  assert.equal(sinceText({ since: '2026-11-30T11:57:00Z' }, now), 'For 3 min');
  for (const since of ['2026-11-30T11:59:55Z', '2026-11-30T12:05:00Z', '1970-01-01T00:00:09Z', undefined]) assert.equal(sinceText({ since }, now), '');
});

test('exposure is told as on a camera', () => {
  const exposure = { key: 'exposure_time_absolute', role: 'exposure' };
  assert.deepEqual([156, 333, 5000, 20_000].map((value) => controlValueText(exposure, value)), ['1/64 s', '1/30 s', '0.5 s', '2 s']);
  assert.equal(controlValueText({ key: 'exposure', role: 'exposure' }, 156), '156');
  const modes = menuChoices({ role: 'exposure-auto', items: { 1: 'Manual Mode', 3: 'Aperture Priority Mode', 4: 'Other' } });
  assert.deepEqual(modes.map(({ name }) => name), ['Manual', 'Automatic', 'Other']);
});

test('what this page sees of a camera is told only where it is less than it asked for', () => {
  assert.equal(viewText({ drawnRate: 29.6, skipped: 0, reduced: false }), '');
  assert.equal(viewText({ drawnRate: 12.4, skipped: 3, reduced: true }), 'view 12 fps, 3 skipped, reduced');
});

const camera = {
  id: 'c1', name: 'Left', state: 'streaming', message: '', enabled: true, wish: {},
  granted: { pixelFormat: 'MJPG', size: '1920x1080', rate: '30000/1001' }, stream: { frames: 9, lost: { driverGap: 2, broken: 1 } },
  device: {
    formats: [
      { pixelFormat: 'MJPG', sizes: [{ size: '1280x720', rates: ['30', '15'] }, { size: '1920x1080', rates: ['60', '30000/1001'] }] },
      { pixelFormat: 'YUYV', sizes: [{ size: '1920x1080', smallest: '320x240', step: '16x8', rates: ['30', '5'], ratesAreRange: true }] },
      { fourcc: 'PWC2', sizes: [{ size: '99x99', rates: ['1'] }] },
    ],
  },
};

test('only what camrig can record is offered, ranges as the usual sizes that fit', () => {
  assert.deepEqual(formatChoices(camera).map(({ name }) => name), ['MJPEG', 'Raw YUYV']);
  assert.deepEqual(sizeChoices(camera, 'MJPG'), ['1920x1080', '1280x720']);
  assert.deepEqual(sizeChoices(camera, 'YUYV'), ['1920x1080', '1280x720', '1024x768', '800x600', '640x480', '320x240']);
  assert.deepEqual(rateChoices(camera, 'MJPG', '1280x720'), ['30', '15']);
  assert.deepEqual(rateChoices(camera, 'YUYV', '640x480'), ['30', '25', '24', '20', '15', '10', '5']);
  assert.deepEqual(setRequest(camera, { format: '', size: '1280x720', rate: '' }),
    { camera: 'c1', size: '1280x720', reset: ['format', 'rate'] });
  assert.deepEqual(setRequest(camera, { format: 'MJPG', size: '1280x720', rate: '30' }),
    { camera: 'c1', format: 'MJPG', size: '1280x720', rate: '30' });
});

test('a camera in words', () => {
  assert.equal(formatLine(camera), '1920×1080 · 29.97 fps');
  assert.equal(formatLine({ state: 'idle' }), '');
  assert.equal(lostPictures(camera, undefined), 3);
  assert.equal(lostPictures(camera, { cameras: { c1: { lost: 1 } } }), 1);
  assert.equal(causesText({ driverGap: 2, broken: 0 }), '2 skipped by the driver');
  for (const state of ['offline', 'idle', 'starting', 'stalled', 'busy', 'failed', 'disabled']) {
    assert.notEqual(cameraWords({ state }).title, '');
  }
  assert.deepEqual(inOrder({ b: { name: 'Cam 10' }, a: { name: 'Cam 9' } }).map(({ id }) => id), ['a', 'b']);
});

test('trouble is told with its cure, the worst first', () => {
  const quiet = { rig: { clockSync: 'synchronised' }, cameras: { c1: camera }, disk: { freeBytes: 9e11, secondsLeft: 9000 } };
  assert.deepEqual(rigTroubles(quiet), []);
  const troubles = rigTroubles({
    rig: { clockSync: 'unsynchronised' },
    cameras: { c1: { ...camera, state: 'offline' }, c2: { name: 'Right', state: 'busy', message: 'Find it with: fuser' } },
    recording: { take: 't', cameras: { c1: { inGap: true, lost: 0 } } },
    disk: { freeBytes: 1e9, secondsLeft: 100 },
    problems: { fan: { text: 'The fan is dead.' } },
  });
  assert.deepEqual(troubles.map(({ key, level }) => `${level} ${key}`),
    ['alarm disk', 'alarm camera.c1', 'warning camera.c2', 'warning problem.fan', 'note clock']);
  assert.match(troubles[1].text, /Left is not being recorded.*same socket/);
  assert.match(troubles[0].text, /Room for 1 min more/);
});

test('what is wrong with the pictures that come is a note', () => {
  const cameras = { c1: { ...camera, state: 'streaming', message: '12 % of the pictures are spoilt; check the cable' } };
  const [trouble, ...others] = rigTroubles({ rig: {}, cameras });
  assert.deepEqual(trouble, { key: 'camera.c1', level: 'note', text: 'Left: 12 % of the pictures are spoilt; check the cable' });
  assert.equal(others.length, 0);
});

test('a disk that lasts a while yet comes after a camera that is not recorded', () => {
  const troubles = rigTroubles({
    rig: { clockSync: 'synchronised' }, disk: { secondsLeft: 640 }, recording: { cameras: { c1: { inGap: true } } },
    cameras: { c1: { ...camera, state: 'offline' } },
  });
  assert.deepEqual(troubles.map(({ key, level }) => `${level} ${key}`), ['alarm camera.c1', 'warning disk']);
});

/** A screen that a test grants or refuses, request by request. */
function fakeScreen() {
  const screen = { isSeen: true, asked: [], locks: [] };
  screen.lock = new WakeLock({
    request: () => new Promise((grant, refuse) => screen.asked.push({ grant, refuse })), isSeen: () => screen.isSeen,
  });
  screen.grant = async () => {
    const lock = { released: false, release: async () => { lock.released = true; } };
    screen.locks.push(lock);
    screen.asked.shift().grant(lock);
    await new Promise(setImmediate);
    return lock;
  };
  screen.refuse = async () => {
    screen.asked.shift().refuse(new Error('not now'));
    await new Promise(setImmediate);
  };
  return screen;
}

test('a screen that was refused is asked for again once it may be granted, not before, and let go when it is not needed', async () => {
  const screen = fakeScreen();
  screen.lock.want(true);
  screen.lock.want(true);
  assert.equal(screen.asked.length, 1);
  await screen.refuse();
  screen.lock.want(true);
  assert.equal(screen.asked.length, 0, 'asked without a reason');
  screen.isSeen = false;
  screen.lock.retry();
  assert.equal(screen.asked.length, 0, 'asked out of sight');
  screen.isSeen = true;
  screen.lock.retry();
  const lock = await screen.grant();
  screen.lock.retry();
  assert.equal(screen.asked.length, 0, 'asked for what it has');
  lock.released = true;
  screen.lock.retry();
  const second = await screen.grant();
  screen.lock.want(false);
  assert.equal(second.released, true);
});

test('a page that goes and comes back while it asks for the screen asks once more when that was refused; a grant that comes late is let go', async () => {
  const screen = fakeScreen();
  screen.lock.want(true);
  screen.lock.retry();
  await screen.refuse();
  assert.equal(screen.asked.length, 1);
  screen.lock.want(false);
  assert.equal((await screen.grant()).released, true);
  screen.lock.want(true);
  screen.lock.retry();
  const lock = await screen.grant();
  assert.deepEqual([lock.released, screen.asked.length], [false, 0]);
});

test('live sound is played piece behind piece, with a cushion for what is late', () => {
  const schedule = new SoundSchedule();
  const first = schedule.place(10, 0.02);
  assert.ok(first >= 10.1 && first <= 10.2);
  // The way is up to 80 ms late, now and then.
  for (let piece = 1; piece < 200; piece += 1) {
    const at = schedule.place(10 + piece * 0.02 + (piece % 7 === 0 ? 0.08 : 0), 0.02);
    assert.ok(Math.abs(at - first - piece * 0.02) < 1e-9);
  }
  assert.equal(schedule.gaps, 0);
  assert.equal(schedule.dropped, 0);
});

test('after a silence the cushion is gathered anew; what comes in a heap does not make it late for good', () => {
  const schedule = new SoundSchedule();
  const cushion = schedule.place(0, 0.02);
  assert.ok(Math.abs(schedule.place(5, 0.02) - 5 - cushion) < 1e-9);
  assert.equal(schedule.gaps, 1);
  // A second of it at once.
  const places = Array.from({ length: 50 }, () => schedule.place(5.01, 0.02)).filter((at) => at !== null);
  assert.ok(Math.max(...places) - 5.01 <= 0.32);
  assert.equal(schedule.dropped, 50 - places.length);
  // In time again, it is soon as near as before.
  for (let piece = 1; piece < 100; piece += 1) schedule.place(5.01 + piece * 0.02, 0.02);
  assert.ok(schedule.place(7.01, 0.02) - 7.01 <= cushion + 0.02);
  assert.equal(schedule.gaps, 1);
});

test('a clock of the sound card that is a little slower or faster costs a piece now and then, and no more', () => {
  for (const error of [1 + 300e-6, 1 - 300e-6]) {
    const schedule = new SoundSchedule();
    let late = 0;
    for (let piece = 0; piece < 180_000; piece += 1) {
      const now = piece * 0.02 * error;
      const at = schedule.place(now, 0.02);
      if (at !== null) late = Math.max(late, at - now);
    }
    assert.ok(schedule.gaps <= 12 && schedule.dropped <= 80, `${schedule.gaps} gaps, ${schedule.dropped} dropped`);
    assert.ok(late <= 0.32);
  }
});

test('a camera that shows nothing leads back to the one before, also where that was answered only after the next choice', async () => {
  const answers = [];
  const back = [];
  const link = { isLive: true, call: () => new Promise((resolve, reject) => { answers.push({ resolve, reject }); }) };
  const selection = new Selection({ link, toasts: { refuse() {} }, goBack: (camera) => back.push(camera) });
  const first = selection.update('a');
  const second = selection.update('b');
  answers[0].resolve({});
  await first;
  answers[1].reject(Object.assign(new Error('It has sent no picture.'), { reason: 'camera.silent' }));
  await second;
  assert.deepEqual(back, ['a']);
});
