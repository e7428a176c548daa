/** A package by name and version. */
export interface NamedVersion {
  name: string;
  /** Null when the text has none: the binary package's version applies. */
  version: string | null;
}

/**
 * Parses the source package in a purl's `upstream`, for types deb and apk: `openssl`, or with its
 * own version `openssl@3.0.9-1`. Null when it is empty.
 */
export function readUpstream(upstream: string | undefined): NamedVersion | null {
  const text = upstream?.trim() ?? '';
  const at = text.indexOf('@');
  const name = at < 0 ? text : text.slice(0, at);
  if (name === '') return null;
  const version = at < 0 ? '' : text.slice(at + 1);
  return { name, version: version || null };
}

const SOURCE_RPM = /^(.+)-([^-]+)-([^-]+?)\.(?:no)?src\.rpm$/;

/**
 * Parses the source package in a purl's `upstream`, for type rpm: the file name of the source RPM
 * (`openssl-3.0.7-1.el9.src.rpm` → name, version and release), or as for the other types.
 */
export function readSourceRpm(upstream: string | undefined): NamedVersion | null {
  const found = SOURCE_RPM.exec(upstream?.trim() ?? '');
  if (found === null) return readUpstream(upstream);
  const [, name = '', version = '', release = ''] = found;
  return { name, version: `${version}-${release}` };
}

/** Prepends the epoch of a qualifier, unless the version has one; the epoch 0 is left out. */
export function withEpoch(version: string, epoch: string | undefined): string {
  if (epoch === undefined || !/^\d+$/.test(epoch) || /^0+$/.test(epoch)) return version;
  return version === '' || /^\d+:/.test(version) ? version : `${epoch}:${version}`;
}
