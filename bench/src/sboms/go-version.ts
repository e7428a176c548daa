import { createHash } from 'node:crypto';

const pseudoVersion = /^(v\d+\.\d+\.\d+-(?:.*\.)?)(\d{14})-[0-9a-f]{12}$/;
const release = /^v(\d+)\.(\d+)\.(\d+)$/;
const preRelease = /^v\d+\.\d+\.\d+-[0-9A-Za-z.-]+$/;
const timeOfNewCommits = '20200101000000';

/**
 * A Go module version that sorts directly above `version` and differs for every `seed`, in the form that
 * the go command gives to a commit without a tag (Go modules reference, "Pseudo-versions"). So it stands
 * on the same side of practically every advisory's bounds as `version` does. Undefined when `version`
 * has none of Go's forms.
 */
export function goVersionAbove(version: string, seed: string): string | undefined {
  const [core = '', incompatible] = version.split('+');
  const suffix = incompatible === undefined ? '' : `+${incompatible}`;
  const commit = createHash('sha256').update(seed).digest('hex').slice(0, 12);
  const above = coreAbove(core, commit);
  return above === undefined ? undefined : above + suffix;
}

/**
 * A version of the same major version far above every release, different for every `seed`: every finding
 * with a fix within the major version is gone in it. Undefined when `version` has none of Go's forms.
 */
export function goVersionFarAbove(version: string, seed: string): string | undefined {
  const [core = '', incompatible] = version.split('+');
  const major = /^v\d+/.exec(core)?.[0];
  if (coreAbove(core, '') === undefined || major === undefined) return undefined;
  const suffix = incompatible === undefined ? '' : `+${incompatible}`;
  return goVersionAbove(`${major}.999.0${suffix}`, seed);
}

function coreAbove(core: string, commit: string): string | undefined {
  const [, prefix, time] = pseudoVersion.exec(core) ?? [];
  if (prefix !== undefined && time !== undefined) return `${prefix}${secondAfter(time)}-${commit}`;
  const [, major, minor, patch] = release.exec(core) ?? [];
  if (patch !== undefined) {
    return `v${major}.${minor}.${Number(patch) + 1}-0.${timeOfNewCommits}-${commit}`;
  }
  return preRelease.test(core) ? `${core}.0.${timeOfNewCommits}-${commit}` : undefined;
}

function secondAfter(time: string): string {
  const parts = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(time)?.slice(1).map(Number) ?? [];
  const [year = 1970, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts;
  const moment = new Date(Date.UTC(year, month - 1, day, hour, minute, second + 1));
  return moment.toISOString().slice(0, 19).replace(/\D/g, '');
}
