import { setTimeout as sleep } from 'node:timers/promises';
import { BenchFailure } from '../bench-failure';
import { deletesDocument } from '../deletes/deletes-document';
import type { Api, BulkState } from '../load/api';
import { inParallel } from '../load/in-parallel';
import { pollUntil } from '../load/poll';
import { untilScanned } from '../verify/until-scanned';
import { uploadWhile, type UploadTimes } from './paced-uploads';

export interface BulkArguments {
  /** Vulnerabilities that one call decides about. */
  rows: number;
  rowsPerService: number;
  /** Seconds for which uploads are measured on the idle stack. */
  seconds: number;
}

export interface BulkContext {
  api: Api;
  /** Kills the reconciler, which is started again. */
  killReconciler: () => void;
  untilIdle: () => Promise<boolean>;
  signal: AbortSignal;
  say: (line: string) => void;
}

export interface MeasuredBulk {
  rows: number;
  /** Until all are decided and every list follows. */
  seconds: number;
  auditEntries: number;
  idle: UploadTimes;
  beside: UploadTimes;
  /** Of a second call without uploads beside it, killed once at most half were open. */
  killed: { openAtKill: number; seconds: number };
}

const clients = 2;
const timeoutMs = 20 * 60_000;

/** Fills a project, decides about all of it in one call, revokes that, and does it again with a kill half-way. */
export async function measureBulk(
  { rows, rowsPerService, seconds }: BulkArguments,
  context: BulkContext,
): Promise<MeasuredBulk> {
  const { api, signal, say } = context;
  const services = Math.max(1, Math.round(rows / rowsPerService));
  const all = services * rowsPerService;
  say(`filling ${services} services with ${rowsPerService} vulnerabilities each`);
  const large = await fill(context, { services, rowsPerService });
  const projectId = await api.createProject('Beside');
  let number = 1;
  const target = { api, projectId, signal, next: () => (number += 1) };
  await uploadWhile(target, sleep(3000, undefined, { signal }));
  while (!(await context.untilIdle())) say('the stack still works on what was uploaded');

  const idle = await uploadWhile(target, sleep(seconds * 1000, undefined, { signal }));
  say('one call decides about all');
  const whole = decided(context, { projectId: large, key: 'first', all });
  const beside = await uploadWhile(target, whole);
  const first = await whole;
  say(
    `decided in ${first.seconds.toFixed(1)} s, uploads p50 ${idle.p50.toFixed(0)} → ${beside.p50.toFixed(0)} ms`,
  );
  const auditEntries = await api.countAudit('decideInBulk');
  say('revoking');
  await revoked(context, first.id);
  await openAgain(context, large, all);

  say('deciding again, with a kill half-way');
  const second = decided(context, { projectId: large, key: 'second', all });
  const openAtKill = await halfDecided(context, large, all);
  context.killReconciler();
  const killed = { openAtKill, seconds: (await second).seconds };
  return { rows: all, seconds: first.seconds, auditEntries, idle, beside, killed };
}

async function fill(
  context: BulkContext,
  { services, rowsPerService }: { services: number; rowsPerService: number },
): Promise<string> {
  const { api } = context;
  const projectId = await api.createProject('Large');
  const document = deletesDocument(rowsPerService, 1);
  const names = Array.from({ length: services }, (_, n) => `service-${n}`);
  const ids = await inParallel(names, clients, (serviceName) =>
    api.upload({ projectId, serviceName, document }),
  );
  await inParallel(ids, clients, (id) => untilScanned(context, id, { pauseMs: 500, timeoutMs }));
  await openAgain(context, projectId, services * rowsPerService);
  return projectId;
}

async function openAgain({ api, signal }: BulkContext, projectId: string, all: number) {
  await pollUntil(async () => ((await api.countActive(projectId)) === all ? true : undefined), {
    pauseMs: 200,
    timeoutMs,
    signal,
    waitingFor: () => `the project has not ${all} open vulnerabilities`,
  });
}

/** Waits until at most half of the vulnerabilities are open, but some are; gives how many. */
async function halfDecided(
  { api, signal }: BulkContext,
  projectId: string,
  all: number,
): Promise<number> {
  const half = async (): Promise<number | undefined> => {
    const open = await api.countActive(projectId);
    return open <= all / 2 ? open : undefined;
  };
  const waitingFor = (): string => 'less than half is decided';
  const open = await pollUntil(half, { pauseMs: 20, timeoutMs, signal, waitingFor });
  if (open === 0) throw new BenchFailure('all was decided before the kill: decide about more');
  return open;
}

/** A call that is not answered in time has revoked a part, and is repeated. */
async function revoked({ api, signal }: BulkContext, id: string): Promise<void> {
  const revoke = async (): Promise<true | undefined> => {
    try {
      await api.deleteBulk(id);
      return true;
    } catch (error) {
      if (error instanceof BenchFailure) return undefined;
      throw error;
    }
  };
  const waitingFor = (): string => 'the bulk decision is not revoked';
  await pollUntil(revoke, { pauseMs: 200, timeoutMs, signal, waitingFor });
}

/** Calls, again if a process ended meanwhile, and waits for the end. */
async function decided(
  { api, signal }: BulkContext,
  { projectId, key, all }: { projectId: string; key: string; all: number },
): Promise<{ id: string; seconds: number }> {
  const begin = performance.now();
  const wait = { pauseMs: 200, timeoutMs, signal };
  const waitingFor = () => 'the bulk decision is running';
  const ask = async (): Promise<BulkState | undefined> => {
    try {
      return await api.decideInBulk(projectId, key);
    } catch (error) {
      // Answered 503 while the reconciler was down.
      if (error instanceof BenchFailure) return undefined;
      throw error;
    }
  };
  const { id } = await pollUntil(ask, { ...wait, waitingFor });
  const done = async (): Promise<BulkState | undefined> => {
    const state = await api.readBulk(id);
    return state.status === 'done' ? state : undefined;
  };
  const state = await pollUntil(done, { ...wait, waitingFor });
  const seconds = (performance.now() - begin) / 1000;
  const open = await api.countActive(projectId);
  if (state.decided !== all || open !== 0)
    throw new BenchFailure(`${state.decided} of ${all} are decided, and ${open} are still open`);
  return { id, seconds };
}
