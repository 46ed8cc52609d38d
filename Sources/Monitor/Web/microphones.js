/** The microphones whose sound goes with a camera, by name. */
export function microphonesOf(microphones, camera) {
  return microphonesInOrder(microphones).filter((microphone) => camerasOf(microphone).includes(camera));
}

/** IDs of the cameras with which it is recorded. */
export function camerasOf({ cameras }) {
  return cameras ?? [];
}

/** What `microphone.set` is asked so that it goes with a camera, or does no more. With others it stays as it is. */
export function withCamera(microphone, camera, isWanted) {
  const others = camerasOf(microphone).filter((other) => other !== camera);
  return { microphone: microphone.id, cameras: isWanted ? [...others, camera] : others };
}

/** "also with Right and Wide shot", without "also" where it does not go with this one; empty where it goes with no other. */
export function othersText(microphone, camera, cameras) {
  const names = camerasOf(microphone).filter((other) => other !== camera).map((other) => cameras[other]?.name ?? other);
  const also = camerasOf(microphone).includes(camera) ? 'also with' : 'with';
  return names.length > 0 ? `${also} ${new Intl.ListFormat('en').format(names)}` : '';
}

export function microphonesInOrder(microphones) {
  return Object.entries(microphones ?? {}).map(([id, microphone]) => ({ ...microphone, id }))
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

/** What a microphone is, in words. */
export function microphoneWords({ enabled, state, message, format }) {
  // The way back is a button beside these words, not a command.
  if (enabled === false) return state === 'offline' ? 'Switched off, not plugged in' : 'Switched off';
  if (message) return message;
  const words = { offline: 'Not plugged in', idle: 'Ready', starting: 'Starting', streaming: 'On', busy: 'In use by another program', failed: 'Failed' }[state] ?? state;
  return format ? `${words}, ${format.rate / 1000} kHz, ${format.channels === 1 ? 'mono' : format.channels === 2 ? 'stereo' : `${format.channels} channels`}` : words;
}
