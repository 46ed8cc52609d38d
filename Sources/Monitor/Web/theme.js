// Dark unless the system prefers light or somebody chose otherwise; the choice is this browser's own.

const KEY = 'camrig.theme';
const NEXT = { system: 'dark', dark: 'light', light: 'system' };
const NAMES = { system: 'as the system', dark: 'dark', light: 'light' };
const prefersLight = matchMedia('(prefers-color-scheme: light)');

function chosen() {
  try {
    return localStorage.getItem(KEY) ?? 'system';
  } catch {
    return 'system'; // Storage may be forbidden; then the choice lasts until the page is closed.
  }
}

let theme = chosen() in NEXT ? chosen() : 'system';

export function applyTheme() {
  const light = theme === 'light' || (theme === 'system' && prefersLight.matches);
  document.documentElement.dataset.theme = light ? 'light' : 'dark';
  document.querySelector('meta[name=theme-color]').content = light ? '#f4f3f1' : '#101214';
}

/** The next of system, dark, light. Returns its name in words. */
export function nextTheme() {
  theme = NEXT[theme];
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // See above.
  }
  applyTheme();
  return NAMES[theme];
}

prefersLight.addEventListener('change', applyTheme);
