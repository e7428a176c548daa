import { setTimeout as sleep } from 'node:timers/promises';
import { sequence } from '@bomtrail/testkit';
import { awaitScans } from '../check/await-scans';
import { compareAll } from '../check/compare-all';
import { verifyByBundles } from '../check/verify-services';
import { accept } from '../load/accept';
import { createLoad, type Load } from '../load/create-load';
import { createDriver, type Driver } from '../load/driver';
import { upload } from '../load/upload';
import { listed } from '../report';
import { createGates, type Gates } from './gates';
import type { UpgradeHarness } from './open-upgrade';
import { replaceAll, type Replaced } from './replace-all';
import { upgradeOrder } from './replicas';
import { makeUpgradeReport, type Phase, type UpgradeReport } from './report';
import { compareSnapshots, takeSnapshot } from './snapshot';

/** Drivers that only upload. */
const uploaders = 2;
/** CI jobs at once. */
const gateLanes = 2;
/** In the project that is there before. */
const filledSboms = 30;
const filledDecisions = 8;
const scannedMs = 60_000;
/** The load without a replacement, before the first one. */
const warmUpMs = 5_000;

export interface UpgradeOptions {
  seed: number;
  from: string;
  to: string;
  back: boolean;
  signal: AbortSignal;
}

/**
 * Replaces all processes under load, and back if wanted. After each way compares all data with what was acknowledged
 * and with what was there before.
 */
export async function runUpgrade(
  harness: UpgradeHarness,
  options: UpgradeOptions,
): Promise<UpgradeReport> {
  const { seed, from, to, back, signal } = options;
  const { caller, witness, say } = harness;
  const filled = await fill(harness, seed);
  const gates = await createGates({ caller, witness, folder: harness.context.folder });
  const before = await takeSnapshot(caller, filled.projects);
  const load = await createLoad({ seed, uploaders }, () => harness.context);
  const steps = [
    { name: 'upgrade', bundles: to, order: upgradeOrder },
    ...(back ? [{ name: 'rollback', bundles: from, order: upgradeOrder.toReversed() }] : []),
  ];
  const phases: Phase[] = [];
  for (const step of steps) {
    say(`${step.name} to ${step.bundles}`);
    const { processes, ...counted } = await underLoad(harness, { load, gates }, () =>
      replaceAll(harness, step, signal),
    );
    say('comparing');
    const scanned = await compareEverything(harness, {
      drivers: [filled, ...load.drivers],
      bundles: step.bundles,
    });
    compareSnapshots(before, await takeSnapshot(caller, filled.projects), witness);
    const alerts = await gates.compareAlerts(harness.receiver);
    phases.push({ name: step.name, processes, ...counted, scannedMs: scanned, alerts });
  }
  return makeUpgradeReport({ seed, from, to, compared: before.size, phases }, witness);
}

/** A project with uploads and decisions that nobody changes any more. */
async function fill(harness: UpgradeHarness, seed: number): Promise<Driver> {
  const draw = sequence(seed);
  const driver = await createDriver({ ...harness.context, draw }, `s${seed}-filled-`);
  for (let count = 0; count < filledSboms; count++) await driver.act(upload);
  await awaitScans(harness, driver.projects, scannedMs);
  for (let count = 0; count < filledDecisions; count++) await driver.act(accept);
  await compareAll(harness, driver.projects);
  return driver;
}

/** Runs the load beside the replacements. A request that failed is a difference. */
async function underLoad(
  { witness, counts }: UpgradeHarness,
  { load, gates }: { load: Load; gates: Gates },
  replace: () => Promise<Replaced[]>,
): Promise<Pick<Phase, 'processes' | 'sent' | 'failed' | 'slowestMs'>> {
  const sentBefore = counts.sent;
  const repeatsBefore = new Map(witness.repeats);
  counts.slowestMs = 0;
  const running = load.start(...Array.from({ length: gateLanes }, () => gates.run));
  await sleep(warmUpMs);
  const processes = await replace();
  await running.stop();
  const sent = counts.sent - sentBefore;
  const repeats = [...witness.repeats]
    .map(([reason, count]) => [reason, count - (repeatsBefore.get(reason) ?? 0)] as const)
    .filter(([, count]) => count > 0);
  const failed = repeats.reduce((sum, [, count]) => sum + count, 0);
  if (failed > 0)
    witness.differs(
      'failed',
      `${failed} of ${sent} requests failed: ${listed(Object.fromEntries(repeats))}`,
    );
  return { processes, sent, failed, slowestMs: counts.slowestMs };
}

/** Holds all data to the model, and to what is evaluated anew from the same documents. Gives the time until all was scanned. */
async function compareEverything(
  harness: UpgradeHarness,
  { drivers, bundles }: { drivers: readonly Driver[]; bundles: string },
): Promise<number> {
  const projects = drivers.flatMap((driver) => driver.projects);
  const took = await awaitScans(harness, projects, scannedMs);
  await compareAll(harness, projects);
  await verifyByBundles(bundles, harness);
  return took;
}
