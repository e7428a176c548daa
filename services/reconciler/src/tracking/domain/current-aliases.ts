import type { TrackedVulnerability } from './types';

/** The aliases of the current snapshot, in upper case. */
export function currentAliases(vulnerability: Pick<TrackedVulnerability, 'snapshot'>): string[] {
  return inUpperCase(vulnerability.snapshot?.aliases ?? []);
}

/** Ids as identities, decisions and statements have them. */
export function inUpperCase(ids: readonly string[]): string[] {
  return ids.map((id) => id.toUpperCase());
}
