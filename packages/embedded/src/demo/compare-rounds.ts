import type { OpenVulnerability } from './api-client';

/** What a new version of the services changed: rows are the same when their ids are. */
export interface RoundChange {
  fixed: OpenVulnerability[];
  stillOpen: OpenVulnerability[];
  appeared: OpenVulnerability[];
}

/** Compares what was open before with what is open now. */
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
