import { setTimeout as sleep } from 'node:timers/promises';
import { BenchFailure } from '../bench-failure';
import type { Api } from '../load/api';
import { inParallel } from '../load/in-parallel';
import { pollUntil } from '../load/poll';
import { untilScanned } from '../verify/until-scanned';
import { deletesDocument } from './deletes-document';
import { readWhile, type Reads } from './paced-reads';

export interface DeletesArguments {
  /** Tracked vulnerabilities of the project that is deleted. */
  rows: number;
  /** Of each of its services, and of the service that is deleted alone. */
  rowsPerService: number;
  /** Seconds for which the reads are measured before each delete. */
  seconds: number;
}

/** One delete, with the reads of another project before it and while it is purged. */
export interface MeasuredDelete {
  what: string;
  rows: number;
  answerMs: number;
  /** Until nothing of it is left anywhere. */
  purgeSeconds: number;
  before: Reads;
  during: Reads;
}

export interface DeletesContext {
  api: Api;
  /** Whether the tombstone of this id is still open. */
  isPurged(id: string): Promise<boolean>;
  untilIdle: () => Promise<boolean>;
  signal: AbortSignal;
  say: (line: string) => void;
}

const clients = 2;
const timeoutMs = 20 * 60_000;
/** Of the project that is read beside. */
const otherVulnerabilities = 60;

/** Fills a large project, a large service and one to read beside, and deletes the first two. */
export async function measureDeletes(
  args: DeletesArguments,
  context: DeletesContext,
): Promise<MeasuredDelete[]> {
  const { api, say } = context;
  const { rowsPerService } = args;
  const services = Math.max(1, Math.round(args.rows / rowsPerService));
  say(`filling ${services} services with ${rowsPerService} rows each, and one more`);
  const large = await api.createProject('Large');
  const other = await api.createProject('Beside');
  const document = deletesDocument(rowsPerService, 1);
  const names = Array.from({ length: services }, (_, n) => `service-${n}`);
  const ids = await inParallel(names, clients, (serviceName) =>
    api.upload({ projectId: large, serviceName, document }),
  );
  ids.push(await api.upload({ projectId: other, serviceName: 'large', document }));
  const read = {
    projectId: other,
    serviceName: 'read',
    document: deletesDocument(otherVulnerabilities, 2),
  };
  ids.push(await api.upload(read));
  await inParallel(ids, clients, (id) => untilScanned(context, id, { pauseMs: 500, timeoutMs }));
  if ((await api.countActive(large)) !== services * rowsPerService) {
    throw new BenchFailure('the large project has another number of rows');
  }
  while (!(await context.untilIdle())) say('the stack still works on what was uploaded');

  const [sbomId = '', largeSbom = ''] = [ids.at(-1), ids.at(-2)];
  const target = { api, sbomId, serviceId: await serviceOf(api, sbomId) };
  const largeService = await serviceOf(api, largeSbom);
  const { seconds } = args;
  return [
    await measureOne(context, target, {
      what: 'project',
      rows: services * rowsPerService,
      seconds,
      id: large,
      remove: () => api.deleteProject(large),
    }),
    await measureOne(context, target, {
      what: 'service',
      rows: rowsPerService,
      seconds,
      id: largeService,
      remove: () => api.deleteService(largeService),
    }),
  ];
}

interface OneDelete {
  what: string;
  rows: number;
  seconds: number;
  id: string;
  remove: () => Promise<void>;
}

async function measureOne(
  context: DeletesContext,
  target: { api: Api; serviceId: string; sbomId: string },
  { what, rows, seconds, id, remove }: OneDelete,
): Promise<MeasuredDelete> {
  const { signal, say } = context;
  say(`reads beside the ${what}, then its delete`);
  await readWhile(target, sleep(2000, undefined, { signal }));
  const before = await readWhile(target, sleep(seconds * 1000, undefined, { signal }));
  let answerMs = 0;
  const begin = performance.now();
  const purge = async (): Promise<void> => {
    await remove();
    answerMs = performance.now() - begin;
    await pollUntil(async () => ((await context.isPurged(id)) ? true : undefined), {
      pauseMs: 100,
      timeoutMs,
      signal,
      waitingFor: () => `the ${what} is not purged`,
    });
  };
  const during = await readWhile(target, purge());
  const purgeSeconds = (performance.now() - begin) / 1000;
  await context.untilIdle();
  return { what, rows, answerMs, purgeSeconds, before, during };
}

async function serviceOf(api: Api, sbomId: string): Promise<string> {
  const { service_id } = await api.readSbom(sbomId);
  if (service_id === null) throw new BenchFailure('an SBOM has no service');
  return service_id;
}
