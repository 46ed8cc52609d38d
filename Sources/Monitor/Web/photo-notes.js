/** "With flash, while recording": how a photo was taken, where that was not as usual; else empty. */
export function photoNotes({ flash, take }) {
  const notes = [flash ? 'with flash' : '', take ? 'while recording' : ''].filter(Boolean).join(', ');
  return notes.charAt(0).toUpperCase() + notes.slice(1);
}
