import { setTimeout as delay } from 'node:timers/promises';
import type { Report } from '../report';
import { linesOf } from '../tools/run';
import { lagIn, monitoringUrl, replicasFor, type ScaledObject } from './keda-rule';
import { missingPods, type Release } from './observe';
import { startWaitingScans } from './waiting-scans';

/** Requested scans: enough for the maximum of replicas. */
const backlog = 5_000;
const patienceMs = 60_000;
/** KEDA asks every ten seconds, and the HorizontalPodAutoscaler takes three steps. */
const scaledMs = 150_000;

/**
 * Checks that a backlog of the scanner scales it up, and its end down: a real NATS answers what the rendered
 * ScaledObject asks, its lags say how many replicas there must be, and KEDA has to bring them. Without KEDA the
 * Deployment is scaled over the API.
 *
 * @param folder for the data of NATS
 * @param isAutomatic KEDA runs
 * @param install the chart, with KEDA, and this address of NATS' monitoring
 */
export async function scaleByBacklog(
  release: Release,
  {
    folder,
    report,
    isAutomatic,
    install,
  }: {
    folder: string;
    report: Report;
    isAutomatic: boolean;
    install: (monitoring: string) => Promise<string[]>;
  },
): Promise<void> {
  const scans = await startWaitingScans(folder);
  try {
    const installed = await install(scans.monitoring);
    report.check('scaling: installed with the address of a real NATS', installed);
    if (installed.length > 0) return;
    const { spec } = await scannerOf(release);
    const { minReplicaCount: least, maxReplicaCount: most } = spec;
    report.check(
      `scaling: nothing waits, ${least} of ${most} scanners`,
      await follow(release, { lag: 0, replicas: least, isAutomatic }),
    );
    await scans.request(backlog);
    report.check(
      `scaling: ${backlog} uploads wait, ${most} scanners`,
      await follow(release, { lag: backlog, replicas: most, isAutomatic }),
    );
    scans.finish();
    report.check(
      `scaling: all are scanned, ${least} of ${most} scanners`,
      await follow(release, { lag: 0, replicas: least, isAutomatic }),
    );
  } finally {
    await scans.stop();
  }
}

/** Waits until NATS reports that lag, then for the pods that follow from it. Without KEDA scales the scanner first. */
async function follow(
  release: Release,
  wanted: { lag: number; replicas: number; isAutomatic: boolean },
): Promise<string[]> {
  const scaled = await scannerOf(release);
  const lags = await lagsWhen(scaled, wanted.lag);
  const total = lags.reduce((sum, one) => sum + one, 0);
  if (total !== wanted.lag) return [`NATS says ${lags.join(' and ')} instead of ${wanted.lag}`];
  const replicas = replicasFor(scaled, lags);
  if (replicas !== wanted.replicas) return [`${replicas} replicas instead of ${wanted.replicas}`];
  if (!wanted.isAutomatic) {
    const { cluster, namespace, name } = release;
    const deployment = `deployment/${name}-bomtrail-scanner`;
    const to = [`--replicas=${replicas}`, '--namespace', namespace];
    const ended = await cluster.kubectl(['scale', deployment, ...to]);
    if (ended.code !== 0) return linesOf(ended.stderr);
  }
  for (const end = Date.now() + scaledMs; ; await delay(500)) {
    const pods = await runningScanners(release);
    if (pods === replicas) return missingPods(release);
    if (Date.now() > end) return [`${pods} scanners run instead of ${replicas}`];
  }
}

async function lagsWhen(scaled: ScaledObject, wanted: number): Promise<number[]> {
  for (const end = Date.now() + patienceMs; ; await delay(500)) {
    const lags = await readLags(scaled);
    if (lags.reduce((sum, one) => sum + one, 0) === wanted || Date.now() > end) return lags;
  }
}

/** The lag of each trigger. */
function readLags({ spec }: ScaledObject): Promise<number[]> {
  return Promise.all(
    spec.triggers.map(async (trigger) => {
      const response = await fetch(monitoringUrl(trigger));
      return lagIn(await response.json(), trigger);
    }),
  );
}

async function scannerOf({ cluster, namespace, name }: Release): Promise<ScaledObject> {
  const of = ['--namespace', namespace, '-o', 'json'];
  const found = await cluster.kubectl(['get', 'scaledobject', `${name}-bomtrail-scanner`, ...of]);
  if (found.code !== 0) throw new Error(found.stderr.trim());
  return JSON.parse(found.stdout) as ScaledObject;
}

async function runningScanners({ cluster, namespace, name }: Release): Promise<number> {
  const labels = `app.kubernetes.io/instance=${name},app.kubernetes.io/component=scanner`;
  const of = ['--namespace', namespace, '-l', labels, '--field-selector', 'status.phase=Running'];
  const { stdout } = await cluster.kubectl(['get', 'pods', ...of, '-o', 'name']);
  return linesOf(stdout).length;
}
