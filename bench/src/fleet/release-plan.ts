import { takeInTurn } from '../sboms/variants';

/** A module whose findings are all gone in a version far above its own. */
export interface FixableModule<Module> {
  module: Module;
  /** At least one. */
  findings: number;
}

/** What a service changes with a release. */
export interface PlannedRelease<Module> {
  /** To a version directly above the current one: the findings stay. */
  moved: Module[];
  /** From having its findings to having none, or back. */
  switched: FixableModule<Module>[];
}

/** Components that move with a release, the switched ones included. */
const moves = { least: 3, most: 20 };
export const mostFindings = 3;

/**
 * The release with number `release` of the service with number `service`, both counted from 0: 3 to 20
 * modules in other versions, 0 to 3 findings more or fewer. Over services and releases all numbers, all
 * modules and all fixable modules take their turn.
 */
export function planRelease<Module>(
  of: { service: number; release: number },
  modules: readonly Module[],
  fixable: readonly FixableModule<Module>[],
): PlannedRelease<Module> {
  const { service, release } = of;
  const count = moves.least + ((7 * service + 5 * release) % (moves.most - moves.least + 1));
  const switched: FixableModule<Module>[] = [];
  let left = (service + release) % (mostFindings + 1);
  const first = service + 3 * release;
  for (const one of takeInTurn(fixable, { first, count: fixable.length })) {
    if (one.findings > left) continue;
    switched.push(one);
    left -= one.findings;
  }
  const others = modules.filter((module) => !fixable.some((one) => one.module === module));
  const moved = takeInTurn(others, {
    first: 29 * service + 61 * release,
    count: count - switched.length,
  });
  return { moved, switched };
}
