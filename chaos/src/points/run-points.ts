import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultPoints, type FaultPoint } from '@bomtrail/messaging';
import { sequence } from '@bomtrail/testkit';
import { awaitScans } from '../check/await-scans';
import { compareAll } from '../check/compare-all';
import { verifyServices } from '../check/verify-services';
import { accept, takeBack } from '../load/accept';
import { changeAdvisory } from '../load/change-advisory';
import { createDriver, type Action, type Driver } from '../load/driver';
import type { LoadContext } from '../load/driven-project';
import { removeProject, removeSbom, removeService } from '../load/remove';
import { upload } from '../load/upload';
import type { FaultCounts } from '../faults/strike';
import { makeReport, type ChaosReport } from '../report';
import { countIn } from '../witness';
import type { Harness } from '../harness';

/** A life of a project in which every point is passed. */
const life: readonly Action[] = [
  upload,
  upload,
  upload,
  upload,
  changeAdvisory,
  awaitRows,
  accept,
  upload,
  changeAdvisory,
  takeBack,
  removeSbom,
  upload,
  removeService,
  upload,
  removeSbom,
  removeProject,
];
const longestRunMs = 10 * 60_000;
const resumeWithinMs = 30_000;
/** The same while crashes go on. */
const scannedWithinMs = 180_000;
const readyWithinMs = 90_000;
const rowsWithinMs = 10_000;
const pollMs = 100;

/** The first question of a delete hides; a purge answers the later ones. */
function armed({ name }: FaultPoint): string {
  return name.includes('delete-project-data') ? `${name}@2` : name;
}

/**
 * Runs the load until every service has crashed at each of its fault points, one at each of its starts, then
 * compares all with what was acknowledged.
 *
 * @returns the outcome, in which a point that was not reached is a failure
 */
export async function runPoints(
  harness: Harness,
  options: { seed: number; signal: AbortSignal },
): Promise<ChaosReport> {
  const { chaos, witness, say } = harness;
  const draw = sequence(options.seed);
  const driver = await createDriver({ ...harness.context, draw }, `s${options.seed}-`);
  for (const point of faultPoints) chaos.arm(point.service, armed(point));
  for (const service of new Set(faultPoints.map((point) => point.service)))
    chaos.stack.kill(service, 'SIGTERM');
  const left = (): FaultPoint[] => {
    const crashed = crashedAt(harness.dataDir);
    return faultPoints.filter((point) => !crashed(point));
  };
  const begun = Date.now();
  while (left().length > 0 && Date.now() - begun < longestRunMs) {
    options.signal.throwIfAborted();
    await live(harness, driver);
    say(`${left().length} fault points are left`);
  }
  for (const { name, service } of left())
    witness.differs('failed', `${service} never passed ${name}`);
  if ((await chaos.untilReady(readyWithinMs)) === null)
    witness.differs('late', `not all is ready after ${readyWithinMs / 1000} s`);
  const recovered = Date.now();
  const resumeMs = [await awaitScans(harness, driver.projects, resumeWithinMs)];
  await compareAll(harness, driver.projects);
  await verifyServices(harness.dataDir, witness);
  const unreached = left();
  const faults: FaultCounts = new Map();
  for (const point of faultPoints)
    if (!unreached.includes(point)) countIn(faults, `point ${point.service}`);
  const times = {
    resumeMs,
    comparedMs: Date.now() - recovered,
    minutes: (recovered - begun) / 60_000,
  };
  return makeReport({ ...times, seed: options.seed }, witness, faults);
}

async function live(harness: Harness, driver: Driver): Promise<void> {
  for (const action of life) {
    await driver.act(action);
    // Rows to accept, and sets to forget, are there after the scans only.
    if (action === changeAdvisory) await awaitScans(harness, driver.projects, scannedWithinMs);
  }
}

/** An advisory that came after the uploads shows itself a moment later; one may also be about none of them. */
async function awaitRows({ caller, project }: LoadContext): Promise<void> {
  const query = { project_id: project.id };
  for (const begun = Date.now(); Date.now() - begun < rowsWithinMs; await sleep(pollMs)) {
    const page = await caller.json<{ total: number }>({ path: '/api/v1/vulnerabilities', query });
    if (page && page.total > 0) return;
  }
}

/** Where the logs say that a process has crashed. */
function crashedAt(dataDir: string): (point: FaultPoint) => boolean {
  const logs = new Map<string, string>();
  return ({ service, name }) => {
    const file = path.join(dataDir, 'logs', `${service}.log`);
    const log = logs.get(service) ?? readFileSync(file, 'utf8');
    logs.set(service, log);
    return log.includes(`Crashing at the fault point ${name}.`);
  };
}
