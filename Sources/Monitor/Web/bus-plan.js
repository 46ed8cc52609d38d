import { h, setAttribute, setText } from './dom.js';
import { LatestWins } from './latest-wins.js';

const isOnUSB = (camera) => camera.device?.bus?.startsWith('usb') ?? false;

/** For `usb.plan`: the camera as it was chosen, after all others, which have what they have. Null where there is nothing to ask. */
export function busQuestion(camera, cameras, { format, size, rate }) {
  if (!isOnUSB(camera) || !(format || size || rate)) return null;
  // What is left out counts as it was chosen before: an Automatic instead of that cannot be asked for.
  const { pixelFormat: before, size: sizeBefore, rate: rateBefore } = cameras[camera.id]?.wish ?? camera.wish ?? {};
  if ((!format && before) || (!size && sizeBefore) || (!rate && rateBefore)) return null;
  const others = Object.entries(cameras).filter(([id, other]) => id !== camera.id && other.enabled && isOnUSB(other));
  return [...others.map(([id]) => ({ camera: id })), { camera: camera.id, ...(format && { format }), ...(size && { size }), ...(rate && { rate }) }];
}

/** What the bus of that camera would carry: `{fits, text}`; null where the rig knows nothing of it. */
export function busWords(buses, camera) {
  const bus = buses.find(({ cameras }) => cameras.some((one) => one.camera === camera));
  if (!bus) return null;
  const load = `USB bus ${bus.bus} would carry ${bus.percent} % of what it can`;
  if (bus.fits) return { fits: true, text: bus.cameras.length > 1 ? `${load}, all its cameras together.` : `${load}.` };
  const left = bus.cameras.filter((one) => !one.fits).map(({ name }) => name);
  const who = left.length > 0 ? ` No room for ${left.join(', ')}.` : '';
  return { fits: false, text: [`${load}.${who}`, ...(bus.advice ?? [])].join(' ') };
}

/** Under the choice of a format: whether the USB bus can carry it. Says nothing where the rig cannot tell. */
export class BusPlan {
  element = h('p', { class: 'hint bus-plan', role: 'status', hidden: true });
  #link;
  #camera;
  #sender;

  constructor(camera, link) {
    this.#camera = camera;
    this.#link = link;
    this.#sender = new LatestWins((_, cameras) => this.#ask(cameras), (_, words) => this.#show(words));
  }

  choose(choice) {
    this.#sender.set('', busQuestion(this.#camera, this.#link.state?.cameras ?? {}, choice));
  }

  async #ask(cameras) {
    if (!cameras) return null;
    const { buses } = await this.#link.call('usb.plan', { cameras });
    return busWords(buses ?? [], this.#camera.id);
  }

  #show(words) {
    setText(this.element, words?.text ?? '');
    setAttribute(this.element, 'data-full', words ? !words.fits : false);
    setAttribute(this.element, 'hidden', !words);
  }
}
