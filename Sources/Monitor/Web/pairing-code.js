// The one-time code as people type it and as a link carries it.

/** In groups of four, without what is no part of it: "1234-5678" becomes 1234 5678. */
export function tidyCode(typed) {
  const signs = typed.toUpperCase().replace(/[^A-Z0-9]/g, '').slice(0, 16);
  return signs.replace(/(.{4})(?=.)/g, '$1 ');
}

/** The code of a link that ends in `#code=12345678`; empty where there is none. */
export function codeOfFragment(fragment) {
  const found = /^#code=([^&]*)/.exec(fragment);
  if (!found) return '';
  try {
    return tidyCode(decodeURIComponent(found[1]));
  } catch {
    return '';
  }
}

/** "sha256:a3d8da19…" in groups of four, as camrigctl shows it, so that it can be compared. */
export function fingerprintText(fingerprint) {
  return fingerprint.replace(/^sha256:/i, '').replace(/\s/g, '').replace(/(.{4})(?=.)/g, '$1 ');
}

/** A name for this device that its owner recognises in the list of monitors. */
export function deviceName(userAgent) {
  const devices = [
    [/iPhone/, 'iPhone'], [/iPad/, 'iPad'], [/Android.*Mobile/, 'Android phone'], [/Android/, 'Android tablet'],
    [/Windows/, 'Windows computer'], [/Mac OS X/, 'Mac'], [/CrOS/, 'Chromebook'], [/Linux/, 'Linux computer'],
  ];
  const browsers = [[/Edg\//, 'Edge'], [/Firefox\//, 'Firefox'], [/Chrome\//, 'Chrome'], [/Safari\//, 'Safari']];
  const find = (table) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const device = find(devices) ?? 'Browser';
  const browser = find(browsers);
  return browser ? `${device}, ${browser}` : device;
}
