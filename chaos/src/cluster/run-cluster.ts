import { sequence } from '@bomtrail/testkit';
import { awaitScans } from '../check/await-scans';
import { compareAll } from '../check/compare-all';
import { verifyServices } from '../check/verify-services';
import { createLoad } from '../load/create-load';
import { runStrike } from './run-strike';
import { size, type ClusterHarness } from './open-cluster';
import { createProbe } from './probe';
import { makeClusterReport, type ClusterReport } from './report';
import { drawStrikes } from './strikes';
import { createUploadClock } from './upload-clock';

/** Drivers that only upload, so that a pause of the uploads is one of the product. */
const uploaders = 2;
/** As in chaos. */
const resumeWithinMs = 30_000;
const readyWithinMs = 90_000;
/** What the services keep on NATS. */
const streams = ['DEAD', 'EVENTS', 'OBJ_attachments', 'WORK'];

/** Runs the load while one node after the other is killed, then compares everything with the acknowledged operations. */
export async function runCluster(
  harness: ClusterHarness,
  options: { seed: number; signal: AbortSignal },
): Promise<ClusterReport> {
  const { seed, signal } = options;
  const { say } = harness;
  const clock = createUploadClock(harness.witness);
  const load = await createLoad({ seed, uploaders }, (index) => ({
    ...harness.context,
    ...harness.transports[index % 2 === 0 ? 0 : 1],
    witness: clock.witness,
  }));
  const draw = sequence(seed);
  const probe = await createProbe(harness, { ...harness.context, witness: clock.witness, draw });
  // The first large body makes their bucket.
  await probe.begin().done;
  await compareReplicas(harness);

  const running = load.start();
  const projects = () => [...load.drivers, probe].flatMap((driver) => driver.projects);

  const hits = [];
  for (const strike of drawStrikes(draw)) {
    signal.throwIfAborted();
    const one = await runStrike({ harness, clock, probe, draw }, strike);
    hits.push({ ...one, scannedMs: await resumed(harness, projects()) });
  }
  await running.stop();
  const since = Date.now();
  await resumed(harness, projects());
  await compareReplicas(harness);
  say('comparing');
  await compareAll(harness, projects());
  await verifyServices(harness.dataDir, harness.witness);
  return makeClusterReport({ seed, hits, comparedMs: Date.now() - since }, harness.witness);
}

type Projects = Parameters<typeof awaitScans>[1];

/** Waits until all is ready and what was under way is done; gives how long the latter took. */
async function resumed(harness: ClusterHarness, projects: Projects): Promise<number> {
  const { witness } = harness;
  const ready = await harness.chaos.untilReady(readyWithinMs);
  if (ready === null)
    witness.differs('late', `not all is ready ${readyWithinMs / 1000} s after a restart`);
  return awaitScans({ caller: harness.caller, witness }, projects, resumeWithinMs);
}

/** Each stream must be on all nodes. */
async function compareReplicas({ clusters, witness }: ClusterHarness): Promise<void> {
  const found = await clusters.nats.streams();
  const placements = found.map(({ name, replicas }) => `${name} on ${replicas}`).sort();
  const wanted = streams.map((name) => `${name} on ${size}`);
  if (placements.join() !== wanted.join())
    witness.differs('differs', `streams: ${placements.join(', ')} instead of ${wanted.join(', ')}`);
}
