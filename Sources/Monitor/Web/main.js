import { backoffDelay } from './backoff.js';
import { h, loadIcons } from './dom.js';
import { MonitorPage } from './monitor-page.js';
import { PairingView } from './pairing-view.js';
import { readSession } from './session.js';
import { applyTheme } from './theme.js';
import { restOrWaking } from './waking.js';

applyTheme();
loadIcons().catch(() => {}); // Without them the buttons still have their names.
begin(1);

/** The page itself came from somewhere, so the rig is about to answer, or was a moment ago. */
async function begin(attempt) {
  let session;
  try {
    session = await readSession();
  } catch {
    document.body.replaceChildren(h('p', { class: 'notice', role: 'status' }, 'The rig does not answer. Trying again…'));
    await restOrWaking(backoffDelay(attempt));
    begin(attempt + 1);
    return;
  }
  if (session.paired) showMonitor(session);
  else showPairing(session, '');
}

function showMonitor(session) {
  document.body.replaceChildren(new MonitorPage(session, showPairing).element);
}

function showPairing(session, why) {
  document.title = session.rig?.name ?? 'camrig';
  // Whoever was paired before starts with a page that holds nothing of it.
  const view = new PairingView({ rig: session.rig, why, done: () => location.reload() });
  document.body.replaceChildren(view.element);
  view.focus();
}
