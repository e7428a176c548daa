import type { TrackedVulnerability } from './types';

/** The aliases of the current snapshot, in upper case. */
export function currentAliases(vulnerability: Pick<TrackedVulnerability, 'snapshot'>): string[] {
  return vulnerability.snapshot
    ? vulnerability.snapshot.aliases.map((alias) => alias.toUpperCase())
    : [];
}
