import type { Snapshot } from './types';

/** The aliases of the current snapshot, in upper case. */
export function currentAliases(vulnerability: {
  snapshot: Pick<Snapshot, 'aliases'> | null;
}): string[] {
  return inUpperCase(vulnerability.snapshot?.aliases ?? []);
}

/** Ids as identities, decisions and statements have them. */
export function inUpperCase(ids: readonly string[]): string[] {
  return ids.map((id) => id.toUpperCase());
}
