/** The microphones whose sound goes with a camera, by name. */
export function microphonesOf(microphones, camera) {
  return microphonesInOrder(microphones).filter((microphone) => microphone.camera === camera);
}

export function microphonesInOrder(microphones) {
  return Object.entries(microphones ?? {}).map(([id, microphone]) => ({ ...microphone, id }))
    .sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id));
}

/** What a microphone is, in words. */
export function microphoneWords({ state, message, format }) {
  if (message) return message;
  const words = { offline: 'Not plugged in', idle: 'Ready', starting: 'Starting', streaming: 'On', busy: 'In use by another program', failed: 'Failed' }[state] ?? state;
  return format ? `${words}, ${format.rate / 1000} kHz, ${format.channels === 1 ? 'mono' : format.channels === 2 ? 'stereo' : `${format.channels} channels`}` : words;
}
