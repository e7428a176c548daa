import type { RunSize, Scenario } from './scenario';

/** How large a run becomes: as asked for, else as the scenario has it; never more clients than it allows. */
export function chooseSize(
  scenario: Pick<Scenario, 'size' | 'maxClients'>,
  asked: { uploads: number | undefined; clients: number | undefined },
): RunSize {
  return {
    uploads: asked.uploads ?? scenario.size.uploads,
    clients: Math.min(asked.clients ?? scenario.size.clients, scenario.maxClients ?? Infinity),
  };
}
