import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError, repositoryRoot, withTemporaryFolder } from '@bomtrail/embedded';
import { chartFile, valueSets } from '../chart/files';
import { startReport, type Report } from '../report';
import { linesOf, type Ran } from '../tools/run';
import type { Say } from '../tools/fetch';
import { definitionFolders } from './definitions';
import { missingPods, objectsOf, podErrors, type Release } from './observe';
import { scaleByBacklog } from './scale-by-backlog';
import { findKeda, findPrograms, type KedaPrograms } from './programs';
import { startKeda } from './start-keda';
import { startCluster, type Cluster } from './start-cluster';
import { namespaceOf, podWithTooManyRights, surroundings } from './surroundings';

/** Kinds that a chart may leave behind on purpose: data. */
const kept = new Set(['PersistentVolumeClaim']);
/** On objects that helm leaves behind on purpose. */
const policy = 'helm.sh/resource-policy';
/** Pods get up to 75 seconds to stop. */
const goneMs = 120_000;
const waiting = ['--wait', '--timeout', '3m'];

/**
 * `npm run test:cluster-api`: installs, upgrades, rolls back and uninstalls the chart with every value set on a real
 * Kubernetes API; nodes and kubelets are simulated.
 *
 * @param folder of the programs; null: on `PATH`
 */
export async function checkCluster(folder: string | null, say: Say): Promise<number> {
  const programs = findPrograms(folder);
  const report = startReport(say);
  await withTemporaryFolder('cluster', async (temporary) => {
    const cluster = await startCluster(programs, temporary);
    try {
      await prepare(cluster);
      report.check('the namespace refuses pods with too many rights', await guardErrors(cluster));
      report.check(
        'MongoDB Community Operator: its definition takes the resource',
        await operatorErrors(cluster),
      );
      for (const set of valueSets()) await checkSet({ report, cluster, chart: [chartFile()] }, set);
      await checkTwoReleases(report, cluster);
      const keda = findKeda(folder);
      await checkScaling({ report, cluster, chart: [chartFile()] }, { folder: temporary, keda });
    } finally {
      await cluster.stop();
    }
  });
  for (const line of report.closingLines()) say(line);
  return report.failed ? 1 : 0;
}

/** Gives a new cluster the definitions of custom resources, its nodes and storage. */
export async function prepare(cluster: Cluster): Promise<void> {
  for (const one of await definitionFolders())
    // Client-side apply would write definitions into an annotation that is too small for them.
    must(await cluster.kubectl(['apply', '--server-side', '-f', one]));
  must(await cluster.kubectl(['apply'], surroundings()));
  const nodes = ['wait', '--for=condition=Ready', 'node', '--all', '--timeout=60s'];
  must(await cluster.kubectl(nodes));
}

/** Without it a cluster that admits everything would pass. */
async function guardErrors(cluster: Cluster): Promise<string[]> {
  must(await cluster.kubectl(['apply'], namespaceOf('guarded')));
  const dry = ['create', '--dry-run=server', '--namespace', 'guarded'];
  const ended = await cluster.kubectl(dry, podWithTooManyRights);
  const isRefused = ended.code !== 0 && ended.stderr.includes('violates PodSecurity');
  return isRefused ? [] : [`the pod was not refused: ${ended.stderr.trim()}`];
}

/** Unknown fields and wrong types are refused by the definition, as `--validate=strict` has it. */
async function operatorErrors(cluster: Cluster): Promise<string[]> {
  const file = path.join(repositoryRoot(), 'deploy', 'mongodb', 'community-operator.yaml');
  must(await cluster.kubectl(['apply'], namespaceOf('operated')));
  const dry = ['create', '--dry-run=server', '--validate=strict', '--namespace', 'operated'];
  const ended = await cluster.kubectl([...dry, '-f', file]);
  return ended.code === 0 ? [] : linesOf(ended.stderr);
}

interface ChartUnderTest {
  readonly report: Report;
  readonly cluster: Cluster;
  /** Where it is installed from: arguments of helm that name it. */
  readonly chart: readonly string[];
}

/** Installs a value set, upgrades, rolls back and uninstalls it. `whenInstalled` looks at the running release. */
export async function checkSet(
  { report, cluster, chart }: ChartUnderTest,
  { name: set, file }: Pick<ReturnType<typeof valueSets>[number], 'name' | 'file'>,
  whenInstalled: (release: Release) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const release = { cluster, namespace: `of-${set}`, name: 'shipped' };
  const what = ['shipped', ...chart, '--values', file];
  must(await cluster.kubectl(['apply'], namespaceOf(release.namespace)));
  const installed = await helmErrors(release, ['install', ...what]);
  report.check(`${set}: installed, all pods run`, installed);
  if (installed.length > 0) return;
  await whenInstalled(release);
  const pods = await podErrors(release);
  report.check(`${set}: pods are spread, disruption budgets allow one`, pods);
  report.check(`${set}: the pod of helm test is admitted`, await hookErrors(release));
  const upgraded = await helmErrors(release, ['upgrade', ...what, '--set', 'image.tag=next']);
  report.check(`${set}: upgraded`, [...upgraded, ...(await imageErrors(release, true))]);
  const back = await helmErrors(release, ['rollback', 'shipped', '1']);
  report.check(`${set}: rolled back`, [...back, ...(await imageErrors(release, false))]);
  report.check(`${set}: uninstalled, only data stays`, await uninstall(release));
}

/** With queues of a real NATS; by KEDA if its programs are there. */
async function checkScaling(
  { report, cluster, chart }: ChartUnderTest,
  { folder, keda }: { folder: string; keda: KedaPrograms | null },
): Promise<void> {
  const release = { cluster, namespace: 'scaled', name: 'shipped' };
  must(await cluster.kubectl(['apply'], namespaceOf(release.namespace)));
  const values = ['--values', chartFile('ci', 'keda-values.yaml')];
  if (!keda)
    report.notRun(
      'scaling by KEDA',
      'keda and keda-adapter are not among the programs; its rule was applied instead',
    );
  const running = keda && (await startKeda(keda, { cluster, folder }));
  try {
    await scaleByBacklog(release, {
      folder,
      report,
      isAutomatic: running !== null,
      install: (monitoring) =>
        helmErrors(release, [
          ...['install', release.name, ...chart, ...values],
          ...['--set', `nats.monitoringEndpoint=${monitoring}`],
        ]),
    });
  } finally {
    await running?.stop();
  }
}

async function checkTwoReleases(report: Report, cluster: Cluster): Promise<void> {
  const namespace = 'shared';
  const values = ['--values', chartFile('ci', 'minimal-values.yaml')];
  must(await cluster.kubectl(['apply'], namespaceOf(namespace)));
  const errors: string[] = [];
  for (const name of ['one', 'other'])
    errors.push(
      ...(await helmErrors({ cluster, namespace, name }, [
        'install',
        name,
        chartFile(),
        ...values,
      ])),
    );
  errors.push(...(await podErrors({ cluster, namespace, name: 'one' })));
  report.check('two releases in one namespace: installed', errors);
  const gone = await uninstall({ cluster, namespace, name: 'one' });
  const left = await missingPods({ cluster, namespace, name: 'other' });
  report.check('two releases in one namespace: one goes, the other one stays', [...gone, ...left]);
}

async function helmErrors(release: Release, args: readonly string[]): Promise<string[]> {
  const ended = await release.cluster.helm([...args, '--namespace', release.namespace, ...waiting]);
  if (ended.code !== 0) return [...linesOf(ended.stderr, 3), ...(await missingPods(release))];
  return missingPods(release);
}

/** The pod of `helm test` is only admitted: its kubelet is simulated. */
async function hookErrors({ cluster, namespace, name }: Release): Promise<string[]> {
  const hooks = await cluster.helm(['get', 'hooks', name, '--namespace', namespace]);
  if (hooks.code !== 0) return linesOf(hooks.stderr);
  if (hooks.stdout.trim() === '') return [];
  const of = ['--namespace', namespace];
  const created = await cluster.kubectl(['create', ...of], hooks.stdout);
  const deleted = await cluster.kubectl(['delete', '--ignore-not-found', ...of], hooks.stdout);
  return [created, deleted].flatMap(({ code, stderr }) => (code === 0 ? [] : linesOf(stderr)));
}

/** Pods of ours with the tag of the upgrade, or without it; those pinned by digest are left out. */
async function imageErrors(release: Release, isNext: boolean): Promise<string[]> {
  const pods = await objectsOf(release, 'pods');
  return pods.flatMap(({ metadata, spec }) => {
    const images = (spec?.containers ?? []).map(({ image }) => image);
    const ours = images.filter((image) => image.includes('bomtrail-') && !image.includes('@'));
    return ours
      .filter((image) => image.endsWith(':next') !== isNext)
      .map((image) => `${metadata.name} has ${image}`);
  });
}

async function uninstall(release: Release): Promise<string[]> {
  const { cluster, namespace, name } = release;
  const ended = await cluster.helm(['uninstall', name, '--namespace', namespace, ...waiting]);
  if (ended.code !== 0) return linesOf(ended.stderr);
  const end = Date.now() + goneMs;
  for (;;) {
    const left = (await objectsOf(release, 'all,cm,secret,pvc,pdb,ing,netpol,sa,hpa')).filter(
      ({ kind, metadata }) => !kept.has(kind) && metadata.annotations?.[policy] !== 'keep',
    );
    if (left.length === 0) return [];
    if (Date.now() > end)
      return left.map(({ kind, metadata }) => `${kind} ${metadata.name} is left`);
    await delay(500);
  }
}

function must({ code, stderr }: Ran): void {
  if (code !== 0) throw new OperatorError(linesOf(stderr, 5).join(' '));
}
