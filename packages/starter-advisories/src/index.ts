import { join } from 'node:path';

/** ISO date (UTC, day) of the state of the set: what became known later is not in it. */
export const STARTER_SET_DATE: string = '2026-11-21';

/**
 * Folder that holds the set in OSV layout: `<ecosystem>/<id>.json`, one OSV 1.7 record a file.
 * Gives an absolute path, the same from the sources and from the build. A record that names packages
 * of several ecosystems stands in the folder of each, as in OSV's bulk export.
 */
export function starterAdvisoriesFolder(): string {
  return join(__dirname, '..', 'data');
}
