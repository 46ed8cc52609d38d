import { ApprovalBanners } from './approval-banners.js';
import { Banners } from './banners.js';
import { openCameraDialog } from './camera-dialog.js';
import { ControlPanel } from './control-panel.js';
import { Countdown } from './countdown.js';
import { askName } from './dialog.js';
import { h, icon, iconButton, setAttribute, setText } from './dom.js';
import { openHelp } from './help-dialog.js';
import { listenToKeys } from './keyboard.js';
import { ListenButton } from './listen-button.js';
import { LiveView } from './live-view.js';
import { MediaLink } from './media-link.js';
import { MicrophoneLevels } from './microphone-levels.js';
import { MonitorsView } from './monitors-view.js';
import { PhotosView } from './photos-view.js';
import { PictureWish } from './picture-wish.js';
import { RigLink } from './rig-link.js';
import { readRoute, routeFragment } from './route.js';
import { Selection } from './selection.js';
import { readSession, unpair } from './session.js';
import { ShutterDeck } from './shutter-deck.js';
import { TakesView } from './takes-view.js';
import { nextTheme } from './theme.js';
import { Toasts } from './toasts.js';
import { TorchButton } from './torch-button.js';
import { screenLock } from './wake-lock.js';
import { ClockGap, listenToWaking } from './waking.js';

const TICK = 500;
/** Meters that follow the sound, while they are seen. */
const METER_TICK = 100;
/** Events after which the list of takes is another one. */
const TAKE_EVENTS = ['recording.started', 'recording.stopped', 'take.repaired'];
const PHOTO_EVENTS = ['photo.taken', 'timelapse.started', 'timelapse.stopped'];

/** The page of a paired monitor: holds the parts, hands each change to those that show it. */
export class MonitorPage {
  element;
  #session;
  #onUnpaired;
  #media = new MediaLink();
  #link;
  #toasts = new Toasts();
  #banners;
  #approvals;
  #rigName = h('span', { class: 'rig-name' });
  #tabs;
  #main = h('main', { class: 'main', tabindex: -1 });
  #deck;
  #torch;
  #levels;
  #countdown;
  #live;
  #selection;
  #views;
  #updating = false;
  #alive = new AbortController();
  #screen = screenLock(this.#alive.signal);

  /** `onUnpaired(session, why)`: the rig does not know this browser any more. */
  constructor(session, onUnpaired) {
    this.#session = session;
    this.#onUnpaired = onUnpaired;
    this.#link = new RigLink(() => this.#mayConnect());
    const parts = { link: this.#link, toasts: this.#toasts };
    this.#banners = new Banners(parts);
    this.#approvals = new ApprovalBanners(parts);
    this.#banners.element.prepend(this.#approvals.element);
    this.#levels = new MicrophoneLevels(this.#link);
    this.#torch = new TorchButton(parts);
    this.#countdown = new Countdown(() => this.#link.call('photo.cancel').catch((refusal) => this.#toasts.refuse(refusal)));
    this.#deck = new ShutterDeck({
      ...parts,
      extra: [this.#torch.element],
      askName: (present) => askName('Next take', 'Name', present, 'It becomes a part of the folder\'s name. Empty: only the time.'),
    });
    const wish = new PictureWish(parts);
    this.#live = new LiveView({
      media: this.#media,
      levels: this.#levels,
      wish,
      controls: new ControlPanel({ ...parts, wish }),
      listen: new ListenButton(this.#media),
      openSettings: (camera) => this.#openSettings(camera),
      toggleFullScreen: () => this.#toggleFullScreen(),
    });
    this.#selection = new Selection({ ...parts, goBack: (camera) => this.#live.choose(camera) });
    this.#views = {
      live: this.#live,
      takes: new TakesView({ ...parts, updated: () => this.#updateSoon() }),
      photos: new PhotosView({ ...parts, updated: () => this.#updateSoon() }),
      monitors: new MonitorsView({ ...parts, forgetThis: () => this.#forgetThis() }),
    };
    this.#tabs = {
      live: tab('live', 'Live'), takes: tab('takes', 'Takes'), photos: tab('photos', 'Photos'), monitors: tab('monitors', 'Monitors'),
    };
    this.#main.append(...Object.values(this.#views).map((view) => view.element));
    this.element = h('div', { class: 'page' },
      h('header', { class: 'top' },
        this.#rigName,
        h('nav', { class: 'tabs', 'aria-label': 'Views' }, Object.values(this.#tabs)),
        h('div', { class: 'top-end' },
          themeButton(),
          iconButton('help', 'Keys and help (?)', () => this.#help(), { class: 'icon-button help-button' }))),
      this.#banners.element, this.#main, this.#countdown.element, this.#deck.element, this.#toasts.element);
    this.#toasts.followDialogs(this.element, this.#alive.signal);
    this.#listen();
    this.#link.socket.open();
    this.#update();
  }

  #listen() {
    this.#link.changed.subscribe(() => {
      this.#media.setRigIsThere(this.#link.isLive);
      this.#updateSoon();
    });
    this.#link.event.subscribe(({ method, params }) => this.#happened(method, params));
    const { signal } = this.#alive;
    addEventListener('hashchange', () => this.#update(), { signal });
    document.addEventListener('visibilitychange', () => {
      this.#media.setPageIsSeen(document.visibilityState === 'visible');
      this.#update();
    }, { signal });
    const clock = new ClockGap(Date.now());
    const woke = () => {
      // It was heard of; the next look at the clock must not tell it again.
      clock.look(Date.now());
      this.#media.renew();
      this.#link.woke();
    };
    listenToWaking(woke, signal);
    document.addEventListener('fullscreenchange', () => {
      setAttribute(this.element, 'data-full', Boolean(document.fullscreenElement));
    }, { signal });
    const tick = setInterval(() => {
      if (document.visibilityState !== 'visible') return;
      // Not every lid that is closed hides the page first.
      if (clock.look(Date.now())) woke();
      this.#update();
    }, TICK);
    const meters = setInterval(() => this.#live.showLevels(), METER_TICK);
    signal.addEventListener('abort', () => {
      clearInterval(tick);
      clearInterval(meters);
    });
    const go = (view) => () => { location.hash = routeFragment(view); };
    listenToKeys({
      space: () => (this.#route.view === 'takes' ? this.#views.takes.togglePlay() : this.#deck.press()),
      number: (number) => this.#live.chooseNumber(number, this.#link.state),
      step: (by) => this.#route.view === 'live' && this.#live.step(by),
      escape: () => this.#escape(),
      fullScreen: () => this.#toggleFullScreen(),
      takes: go('takes'),
      photos: () => this.#link.state?.photo !== undefined && go('photos')(),
      mode: () => this.#deck.nextMode(),
      torch: () => !this.#torch.element.hidden && this.#torch.press(),
      controls: () => this.#live.toggleControls(),
      live: go('live'),
      help: () => this.#help(),
    }, signal);
  }

  get #route() {
    return readRoute(location.hash);
  }

  /** Many changes in one breath are one update. */
  #updateSoon() {
    if (this.#updating) return;
    this.#updating = true;
    queueMicrotask(() => {
      this.#updating = false;
      this.#update();
    });
  }

  #update() {
    // Its connection may still tell of its end.
    if (this.#alive.signal.aborted) return;
    const { state } = this.#link;
    const model = {
      state, link: this.#link, session: this.#session, role: this.#session.role, route: this.#route,
      now: performance.now(), wallNow: Date.now(),
    };
    this.#banners.update(model);
    this.#approvals.update(model);
    this.#countdown.update(model);
    this.#levels.want(document.visibilityState === 'visible' && model.route.view === 'live');
    setText(this.#rigName, state?.rig.name ?? this.#session.rig.name);
    for (const [name, element] of Object.entries(this.#tabs)) {
      setAttribute(element, 'aria-current', name === model.route.view ? 'page' : false);
    }
    for (const [name, view] of Object.entries(this.#views)) {
      const isShown = name === model.route.view;
      setAttribute(view.element, 'hidden', !isShown || !state);
      if (!state) continue;
      if (isShown) view.update(model);
      else view.leave?.();
    }
    setAttribute(this.#tabs.photos, 'hidden', state?.photo === undefined);
    setAttribute(this.element, 'data-lost', !this.#link.isLive);
    setAttribute(this.#deck.element, 'hidden', !state);
    if (!state) return;
    // Nobody looks at a page that is out of sight, and a take is no camera.
    const isSeen = document.visibilityState === 'visible' && model.route.view === 'live';
    this.#selection.update(isSeen ? this.#live.shown : '');
    this.#deck.update(model);
    this.#torch.update(model);
    // Whoever watches a rig does not touch the screen.
    this.#screen.want(Boolean(state.recording) || (isSeen && this.#link.isLive && this.#live.showsSomething));
    const title = state.recording ? `● Recording, ${state.rig.name}` : state.rig.name;
    if (document.title !== title) document.title = title;
  }

  #happened(method, params) {
    if (method === 'recording.trouble') this.#banners.tell(params);
    if (method === 'recording.stopped' && params.stop && params.stop.cause !== 'requested') {
      this.#toasts.say(params.stop.message, 'alarm');
    }
    if (method === 'photo.countdown') this.#countdown.tell(params);
    if (method === 'photo.taken') this.#live.flash(params.camera);
    if (method === 'photo.failed') this.#toasts.say(params.message, 'alarm');
    if (PHOTO_EVENTS.includes(method)) this.#views.photos.stale();
    if (TAKE_EVENTS.includes(method)) this.#views.takes.stale();
    this.#updateSoon();
  }

  /** Before each connection: does the rig still know this browser, and is it still the release this page is of? */
  async #mayConnect() {
    const session = await readSession();
    if (!session.paired) {
      this.#end(session, 'The rig does not know this browser any more: its pairing was revoked.');
      return false;
    }
    if (session.rig.version !== this.#session.rig.version) location.reload();
    this.#session = session;
    return true;
  }

  async #forgetThis() {
    try {
      await unpair();
      this.#link.socket.close();
      this.#end({ paired: false, rig: this.#session.rig }, '');
    } catch (error) {
      this.#toasts.refuse(error);
    }
  }

  #end(session, why) {
    this.#alive.abort();
    this.#media.setRigIsThere(false);
    this.#views.takes.leave();
    this.#live.leave();
    this.#onUnpaired(session, why);
  }

  #openSettings(id) {
    const camera = this.#link.state.cameras[id];
    if (!camera || this.#session.role === 'viewer') return;
    openCameraDialog({ camera: { ...camera, id }, recording: this.#link.state.recording, link: this.#link, toasts: this.#toasts });
  }

  #help() {
    openHelp({ rig: this.#link.state?.rig ?? this.#session.rig, session: this.#session });
  }

  #escape() {
    if (this.#route.view === 'takes' && this.#route.take) location.hash = routeFragment('takes');
    else if (this.#route.view !== 'live' || this.#live.isLarge) location.hash = routeFragment('live');
  }

  #toggleFullScreen() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen?.().catch(() => {}); // Some phones have none; the page stays as it is.
  }
}

function themeButton() {
  const button = iconButton('theme', 'Light or dark', () => {
    const words = `Colours: ${nextTheme()}`;
    setAttribute(button, 'aria-label', words);
    setAttribute(button, 'title', words);
  });
  return button;
}

function tab(name, words) {
  return h('a', { class: 'tab', href: routeFragment(name), 'aria-label': words, title: words }, icon(name), h('span', {}, words));
}
