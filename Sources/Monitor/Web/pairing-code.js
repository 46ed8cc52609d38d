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

/**
 * Which of the links another device does best with: the one of the host by which this page came, unless that is this very
 * machine; else one by number, which needs no help from the network's names. -1 where there is none.
 */
export function bestLink(urls, presentHost) {
  const hosts = urls.map((url) => new URL(url).hostname);
  const isHere = (host) => /^(localhost|127\.|\[::1\])/.test(host);
  const there = hosts.findIndex((host) => host === presentHost && !isHere(host));
  if (there >= 0) return there;
  const byNumber = hosts.findIndex((host) => /^\d+\.\d+\.\d+\.\d+$/.test(host) && !isHere(host));
  if (byNumber >= 0) return byNumber;
  const elsewhere = hosts.findIndex((host) => !isHere(host));
  return elsewhere >= 0 ? elsewhere : urls.length - 1;
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
