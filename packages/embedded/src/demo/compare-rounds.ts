import type { OpenVulnerability } from './api-client';

/** Changes by a new version of the services; vulnerabilities are compared by id. */
export interface RoundChange {
  fixed: OpenVulnerability[];
  stillOpen: OpenVulnerability[];
  appeared: OpenVulnerability[];
}

/** Compares the vulnerabilities open before and now. */
export function compareRounds(
  before: readonly OpenVulnerability[],
  now: readonly OpenVulnerability[],
): RoundChange {
  const idsNow = new Set(now.map(({ id }) => id));
  const idsBefore = new Set(before.map(({ id }) => id));
  return {
    fixed: before.filter(({ id }) => !idsNow.has(id)),
    stillOpen: now.filter(({ id }) => idsBefore.has(id)),
    appeared: now.filter(({ id }) => !idsBefore.has(id)),
  };
}
