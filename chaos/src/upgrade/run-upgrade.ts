import { setTimeout as sleep } from 'node:timers/promises';
import { sequence } from '@bomtrail/testkit';
import { awaitScans } from '../check/await-scans';
import { compareAll } from '../check/compare-all';
import { verifyByBundles } from '../check/verify-services';
import { accept } from '../load/accept';
import { createDriver, type Driver } from '../load/driver';
import { upload } from '../load/upload';
import { createGates, type Gates } from './gates';
import type { UpgradeHarness } from './open-upgrade';
import { replaceAll, type Replaced } from './replace-all';
import { upgradeOrder } from './replicas';
import { makeUpgradeReport, type Phase, type UpgradeReport } from './report';
import { compareSnapshots, takeSnapshot } from './snapshot';

/** Who do everything, who only upload, and CI jobs that wait for their findings. */
const driverCount = 4;
const uploaders = 2;
const gateLanes = 2;
const uploaderRestMs = 250;
const gateRestMs = 500;
/** What is there before. */
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

/** Replaces all processes under load, and back if wanted; then compares all data with what was acknowledged and what was there. */
export async function runUpgrade(
  harness: UpgradeHarness,
  options: UpgradeOptions,
): Promise<UpgradeReport> {
  const { seed, from, to, back, signal } = options;
  const { caller, witness, say } = harness;
  const filled = await fill(harness, seed);
  const gates = await createGates({ caller, witness, folder: harness.context.folder });
  const before = await takeSnapshot(caller, filled.projects);
  const drivers = await Promise.all(
    Array.from({ length: driverCount + uploaders }, (_, index) =>
      createDriver(
        { ...harness.context, draw: sequence(seed + 1 + index) },
        `s${seed}-p${index + 1}-`,
      ),
    ),
  );
  const steps = [
    { name: 'upgrade', bundles: to, order: upgradeOrder },
    ...(back ? [{ name: 'rollback', bundles: from, order: upgradeOrder.toReversed() }] : []),
  ];
  const phases: Phase[] = [];
  for (const step of steps) {
    say(`${step.name} to ${step.bundles}`);
    const { processes, ...counted } = await underLoad(harness, { drivers, gates }, () =>
      replaceAll(harness, step, signal),
    );
    say('comparing');
    const scanned = await compareEverything(harness, {
      drivers: [filled, ...drivers],
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

interface Load {
  drivers: readonly Driver[];
  gates: Gates;
}

/** Runs the load beside the replacements. A request that failed is a difference. */
async function underLoad(
  { witness, counts }: UpgradeHarness,
  { drivers, gates }: Load,
  replaceAllOf: () => Promise<Replaced[]>,
): Promise<{ processes: Replaced[]; sent: number; failed: number; slowestMs: number }> {
  const over = new AbortController();
  const failed = (): number => [...witness.repeats.values()].reduce((sum, one) => sum + one, 0);
  const [sentBefore, failedBefore] = [counts.sent, failed()];
  counts.slowestMs = 0;
  const load = Promise.all([
    ...drivers.slice(0, driverCount).map((driver) => driver.run(over.signal)),
    ...drivers
      .slice(driverCount)
      .map((driver) => driver.repeat(upload, uploaderRestMs, over.signal)),
    ...Array.from({ length: gateLanes }, () => repeatGate(gates, over.signal)),
  ]);
  // A later `await` throws its failure.
  load.catch(() => undefined);
  let processes: Replaced[];
  try {
    await sleep(warmUpMs);
    processes = await replaceAllOf();
  } finally {
    over.abort();
  }
  await load;
  const [sent, missed] = [counts.sent - sentBefore, failed() - failedBefore];
  if (missed > 0) {
    const reasons = [...witness.repeats].map(([reason, count]) => `${count} ${reason}`);
    witness.differs('failed', `${missed} of ${sent} requests failed: ${reasons.join(', ')}`);
  }
  return { processes, sent, failed: missed, slowestMs: counts.slowestMs };
}

async function repeatGate(gates: Gates, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await gates.run();
    await sleep(gateRestMs, undefined, { signal }).catch(() => undefined);
  }
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
