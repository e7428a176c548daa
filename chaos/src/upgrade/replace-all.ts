import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '@bomtrail/testkit';
import type { UpgradeHarness } from './open-upgrade';
import { replicasOf } from './replicas';

/** A process that was replaced. */
export interface Replaced {
  process: string;
  /** From SIGTERM until the next one was ready. */
  awayMs: number;
}

const readyMs = 90_000;
/** How long the load runs on the mixture of releases after each step. */
const restMs = 3_000;

/** Replaces one process after the other, all of a service before the next one. */
export async function replaceAll(
  harness: UpgradeHarness,
  { order, bundles }: { order: readonly string[]; bundles: string },
  signal: AbortSignal,
): Promise<Replaced[]> {
  const replaced: Replaced[] = [];
  for (const name of order.flatMap(replicasOf)) {
    signal.throwIfAborted();
    replaced.push(await replace(harness, name, bundles));
    await sleep(restMs);
  }
  return replaced;
}

async function replace(
  { chaos, replicas, say, witness }: UpgradeHarness,
  name: string,
  bundles: string,
): Promise<Replaced> {
  const before = await chaos.pidOf(name);
  const begun = Date.now();
  replicas.use(name, bundles);
  chaos.stack.kill(name, 'SIGTERM');
  await eventually(async () => (await chaos.pidOf(name)) !== before, {
    within: readyMs,
    what: `${name} is started again`,
  });
  if ((await chaos.untilReady(readyMs)) === null)
    witness.differs('late', `${name} is not ready ${readyMs / 1000} s after its start`);
  const awayMs = Date.now() - begun;
  say(`${name} replaced in ${awayMs} ms`);
  return { process: name, awayMs };
}
