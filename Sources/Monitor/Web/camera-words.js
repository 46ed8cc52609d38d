// What a camera does, in words.

import { rateText, roughTime, sizeText } from './text.js';

const YEAR = 365 * 86_400;

const STATES = {
  offline: { title: 'Not plugged in', tone: 'quiet' },
  idle: { title: 'Standing by', tone: 'quiet' },
  starting: { title: 'Starting', tone: 'quiet' },
  streaming: { title: '', tone: 'good' },
  stalled: { title: 'No picture', tone: 'bad' },
  busy: { title: 'In use by another program', tone: 'bad' },
  failed: { title: 'Cannot be used', tone: 'bad' },
  disabled: { title: 'Switched off', tone: 'quiet' },
};

/** Where the rig knows more than the state says. While pictures come, the message alone says what is wrong with them. */
const CAUSES = {
  comesAndGoes: 'Comes and goes',
  noPermission: 'The rig may not use it',
  noBandwidth: 'No room on the USB bus',
  noSignal: 'No signal',
  noUsableFormat: 'No usable format',
  deviceError: 'The camera reports an error',
};

/** `title` is empty while all is well; `message` is the rig's own sentence with the cure. */
export function cameraWords(camera) {
  const { title, tone } = STATES[camera.state] ?? { title: camera.state, tone: 'quiet' };
  return { title: title && (CAUSES[camera.cause] ?? title), tone, message: camera.message ?? '' };
}

/** "For 3 min": since when it is so; empty where that is not known, or just began. */
export function sinceText(camera, now) {
  const seconds = (now - Date.parse(camera.since ?? '')) / 1000;
  // A rig whose clock is ahead, or was never set, would tell nonsense.
  return seconds >= 10 && seconds < YEAR ? `For ${roughTime(seconds)}` : '';
}

/** Whether asking for its pictures can bring any. */
export function canShow(camera) {
  return ['idle', 'starting', 'streaming', 'stalled'].includes(camera.state);
}

/** "1920×1080 · 29.97 fps", of what comes, turned and cut as it is; empty while the camera does not stream. */
export function formatLine(camera) {
  const { granted, delivered, stream } = camera;
  if (!granted) return '';
  const rate = stream?.measuredRate ? Math.round(stream.measuredRate * 10) / 10 : rateText(granted.rate);
  return [sizeText((delivered ?? granted).size), rate ? `${rate} fps` : ''].filter(Boolean).join(' · ');
}

const sum = (counters) => Object.values(counters ?? {}).reduce((all, one) => all + one, 0);

/** Pictures that will never come: of the take while it is recorded, else of the present run of the stream. */
export function lostPictures(camera, recording) {
  const part = recordingOf(camera, recording);
  return part ? part.lost : sum(camera.stream?.lost);
}

/** What this page sees of it; nothing while it sees all that it asked for. */
export function viewText({ drawnRate, skipped, reduced }) {
  if (!skipped && !reduced) return '';
  return [
    `view ${Math.round(drawnRate)} fps`, skipped > 0 ? `${skipped.toLocaleString('en')} skipped` : '', reduced ? 'reduced' : '',
  ].filter(Boolean).join(', ');
}

/** Its part of the take that is being recorded; undefined where it has none. */
export function recordingOf(camera, recording) {
  return recording?.cameras?.[camera.id];
}

/** Whether its picture may be turned and zoomed now, by whoever looks. */
export function mayFrame(camera, { state, link, role }) {
  return Boolean(camera.device) && role !== 'viewer' && link.isLive && !camera.pictureRefusal && !recordingOf(camera, state.recording);
}

export function lastSeenText(camera, now) {
  const seen = Date.parse(camera.lastSeen ?? '');
  const seconds = (now - seen) / 1000;
  // A rig whose clock is ahead, or was never set, would tell nonsense.
  if (camera.state !== 'offline' || !(seconds >= 0 && seconds < YEAR)) return '';
  return seconds < 60 ? 'Seen less than a minute ago' : `Seen ${roughTime(seconds)} ago`;
}

/** In the order in which people count them: by name, as numbers where there are numbers; the same everywhere. */
export function inOrder(cameras) {
  const compare = new Intl.Collator('en', { numeric: true, sensitivity: 'base' }).compare;
  return Object.entries(cameras ?? {})
    .map(([id, camera]) => ({ ...camera, id }))
    .sort((a, b) => compare(a.name, b.name) || compare(a.id, b.id));
}

const LOSSES = {
  driverGap: 'skipped by the driver',
  errorFlagged: 'flagged as damaged by the driver',
  empty: 'without a byte',
  broken: 'broken pictures',
  queueOverflow: 'more than the recorder could take',
  disk: 'not taken by the disk',
  beforeKeyframe: 'before the first keyframe',
  encoder: 'refused by the encoder',
};

/** "3 skipped by the driver, 1 broken pictures" */
export function causesText(lost) {
  return Object.entries(lost ?? {})
    .filter(([, number]) => number > 0)
    .map(([cause, number]) => `${number} ${LOSSES[cause] ?? cause}`)
    .join(', ');
}
