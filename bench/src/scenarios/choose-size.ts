import type { RunSize, Scenario } from './scenario';

/** How large a run becomes: as asked for, else as the scenario has it; never more clients than it allows. */
export function chooseSize(
  scenario: Pick<Scenario, 'size' | 'maxClients' | 'mostUploads'>,
  asked: { uploads?: number; clients?: number },
): RunSize {
  return {
    uploads: Math.min(asked.uploads ?? scenario.size.uploads, scenario.mostUploads ?? Infinity),
    clients: Math.min(asked.clients ?? scenario.size.clients, scenario.maxClients ?? Infinity),
  };
}
