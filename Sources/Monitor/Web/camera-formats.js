// What can be chosen for a camera, from what its driver offers.

import { rateNumber } from './text.js';

const NAMES = {
  MJPG: 'MJPEG', H264: 'H.264', YUYV: 'Raw YUYV', UYVY: 'Raw UYVY', NV12: 'Raw NV12', YU12: 'Raw YU12', GREY: 'Raw grey',
};
// For drivers that take any size or rate in a range: those that people ask for.
const USUAL_SIZES = ['3840x2160', '2560x1440', '1920x1080', '1280x720', '1024x768', '800x600', '640x480', '320x240'];
const USUAL_RATES = ['120', '100', '60', '50', '30', '25', '24', '20', '15', '10', '5'];

const edges = (size) => size.split('x').map(Number);
const area = (size) => edges(size).reduce((a, b) => a * b);
const unique = (values) => [...new Set(values)];

const recordable = (camera) => (camera.device?.formats ?? []).filter((format) => format.pixelFormat);

/** The formats that camrig can record: `{value, name}`. */
export function formatChoices(camera) {
  return unique(recordable(camera).map((format) => format.pixelFormat))
    .map((value) => ({ value, name: NAMES[value] ?? value }));
}

function sizesOf(entry) {
  if (!entry.smallest || !entry.step) return [entry.size];
  const [leastWidth, leastHeight] = edges(entry.smallest);
  const [mostWidth, mostHeight] = edges(entry.size);
  const [stepWidth, stepHeight] = edges(entry.step);
  const fits = (size) => {
    const [width, height] = edges(size);
    return width >= leastWidth && width <= mostWidth && height >= leastHeight && height <= mostHeight
      && (width - leastWidth) % stepWidth === 0 && (height - leastHeight) % stepHeight === 0;
  };
  return unique([entry.size, ...USUAL_SIZES.filter(fits), entry.smallest]);
}

function ratesOf(entry) {
  if (!entry.ratesAreRange || entry.rates.length < 2) return entry.rates;
  const numbers = entry.rates.map(rateNumber);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  return unique([...entry.rates, ...USUAL_RATES.filter((rate) => Number(rate) > least && Number(rate) < most)]);
}

/** Largest first; of all formats where none is chosen. */
export function sizeChoices(camera, pixelFormat) {
  const sizes = recordable(camera)
    .filter((format) => !pixelFormat || format.pixelFormat === pixelFormat)
    .flatMap((format) => format.sizes.flatMap(sizesOf));
  return unique(sizes).sort((a, b) => area(b) - area(a));
}

/** Fastest first; of all sizes where none is chosen. */
export function rateChoices(camera, pixelFormat, size) {
  const rates = recordable(camera)
    .filter((format) => !pixelFormat || format.pixelFormat === pixelFormat)
    .flatMap((format) => format.sizes)
    .filter((entry) => !size || sizesOf(entry).includes(size))
    .flatMap(ratesOf);
  return unique(rates).sort((a, b) => rateNumber(b) - rateNumber(a));
}

/** The parameters of `camera.set` for what was chosen; an empty choice is left to the rig. */
export function setRequest(camera, { format, size, rate }) {
  const request = { camera: camera.id };
  const reset = [];
  for (const [key, value] of Object.entries({ format, size, rate })) {
    if (value) request[key] = value;
    else reset.push(key);
  }
  if (reset.length > 0) request.reset = reset;
  return request;
}
