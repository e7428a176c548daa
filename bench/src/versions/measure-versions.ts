import type { Api } from '../load/api';
import { pollUntil } from '../load/poll';
import { percentile } from '../measure/statistics';
import { untilScanned } from '../verify/until-scanned';
import { ownModule, versionDocument, type ServiceName } from './version-document';

/** Milliseconds from sending an upload to its 201, and until its findings are in the lists. */
export interface Latency {
  acceptedP50: number;
  acceptedP95: number;
  readableP50: number;
  readableP95: number;
}

/** An advisory about the service's own module. */
export interface AdvisoryTimes {
  /** From writing it until the list shows it. */
  listedSeconds: number;
  /** From sending an upload to the service in that moment until it is scanned. */
  uploadMs: number;
  /** From writing it until the stack is quiet again. */
  quietSeconds: number;
}

export interface VersionsReport {
  versions: Record<ServiceName, number>;
  uploads: { kind: string; latency: Record<ServiceName, Latency> }[];
  advisory: Record<ServiceName, AdvisoryTimes>;
  /** Milliseconds of `DELETE` of the latest SBOM, the middle of several. */
  deleteMs: Record<ServiceName, number>;
}

export interface VersionsContext {
  api: Api;
  /** Publishes an advisory about every version of a module. */
  publish(id: string, module: string): void;
  projectId: string;
  /** Waits for a quiet stack; false: it is not quiet after some time. */
  untilIdle: () => Promise<boolean>;
  signal: AbortSignal;
  say: (line: string) => void;
}

const serviceNames: readonly ServiceName[] = ['short', 'long'];
export const shortVersions = 10;

const timeoutMs = 10 * 60_000;
const wait = { pauseMs: 2, timeoutMs };
/** A line of ten thousand versions takes many minutes. */
const idleTimeoutMs = 30 * 60_000;
const deletes = 5;

/** Uploads versions `from` up to (without) `to` of a service, and waits until all of them are scanned. */
export async function fillService(
  context: VersionsContext,
  service: ServiceName,
  span: { from: number; to: number },
): Promise<void> {
  for (let n = span.from; n < span.to; n += 1) {
    await untilScanned(context, await upload(context, service, { n }), wait);
  }
}

/** Measures both services in turns, so that what else happens on the machine hits both alike. */
export async function measureVersions(
  context: VersionsContext,
  sizes: Record<ServiceName, number>,
  uploads: number,
): Promise<Omit<VersionsReport, 'versions'>> {
  const next = { ...sizes };
  const report: VersionsReport['uploads'] = [];
  for (const kind of ['nothing changes', 'two rows change'] as const) {
    const measured = { short: new Measured(), long: new Measured() };
    for (let count = 0; count < uploads + warmUps; count += 1) {
      const order = count % 2 === 0 ? serviceNames : [...serviceNames].reverse();
      for (const service of order) {
        const change = kind === 'two rows change' ? count % 2 === 0 : false;
        const n = next[service]++;
        const begin = performance.now();
        const id = await upload(context, service, { n, at: sizes[service], change });
        const accepted = performance.now() - begin;
        await untilScanned(context, id, wait);
        if (count >= warmUps) measured[service].add(accepted, performance.now() - begin);
      }
    }
    const latency = { short: measured.short.latency(), long: measured.long.latency() };
    report.push({ kind, latency });
    const [short, long] = [latency.short, latency.long].map(
      (one) => `${one.acceptedP95.toFixed(0)} ms, readable after ${one.readableP95.toFixed(0)} ms`,
    );
    context.say(`${kind}: 201 after (p95) ${short} with few versions, ${long} with many`);
  }
  const advisory = {
    short: await measureAdvisory(context, 'short', next),
    long: await measureAdvisory(context, 'long', next),
  };
  return { uploads: report, advisory, deleteMs: await measureDeletes(context, next) };
}

const warmUps = 10;

class Measured {
  private readonly accepted: number[] = [];
  private readonly readable: number[] = [];

  add(accepted: number, readable: number): void {
    this.accepted.push(accepted);
    this.readable.push(readable);
  }

  latency(): Latency {
    return {
      acceptedP50: percentile(this.accepted, 50),
      acceptedP95: percentile(this.accepted, 95),
      readableP50: percentile(this.readable, 50),
      readableP95: percentile(this.readable, 95),
    };
  }
}

/** Until the list has one open row of a new advisory about a module that all versions hold, and after. */
async function measureAdvisory(
  context: VersionsContext,
  service: ServiceName,
  next: Record<ServiceName, number>,
): Promise<AdvisoryTimes> {
  const { api, signal } = context;
  const id = `GO-2097-${Math.floor(Math.random() * 1e9)}`;
  const begin = performance.now();
  const seconds = (): number => (performance.now() - begin) / 1000;
  context.publish(id, ownModule(service));
  await pollUntil(async () => ((await api.countOpen(id)) === 1 ? true : undefined), {
    pauseMs: 20,
    timeoutMs,
    signal,
    waitingFor: () => `${id} is not in the list of the ${service} service`,
  });
  const listedSeconds = seconds();
  context.say(`advisory, ${service}: ${listedSeconds.toFixed(2)} s`);
  const sent = performance.now();
  await untilScanned(context, await upload(context, service, { n: next[service]++, at: 0 }), wait);
  const uploadMs = performance.now() - sent;
  context.say(`upload beside it, ${service}: ${uploadMs.toFixed(0)} ms`);
  // While an advisory change is under way a delete waits for it.
  await pollUntil(async () => (await context.untilIdle()) || undefined, {
    pauseMs: 1000,
    timeoutMs: idleTimeoutMs,
    signal,
    waitingFor: () => 'the stack works on the advisory',
  });
  const quietSeconds = seconds();
  context.say(`quiet again, ${service}: ${quietSeconds.toFixed(0)} s`);
  return { listedSeconds, uploadMs, quietSeconds };
}

async function measureDeletes(
  context: VersionsContext,
  next: Record<ServiceName, number>,
): Promise<Record<ServiceName, number>> {
  const ms: Record<ServiceName, number[]> = { short: [], long: [] };
  for (let count = 0; count < deletes; count += 1) {
    for (const service of serviceNames) {
      const id = await upload(context, service, { n: next[service]++, at: 0, change: true });
      await untilScanned(context, id, wait);
      const begin = performance.now();
      await context.api.deleteSbom(id);
      ms[service].push(performance.now() - begin);
    }
  }
  return { short: percentile(ms.short, 50), long: percentile(ms.long, 50) };
}

/** @param version `at`, `change`: see `versionDocument`, whose passing module stays that of version `at` */
function upload(
  { api, projectId }: VersionsContext,
  service: ServiceName,
  version: { n: number; at?: number; change?: boolean },
): Promise<string> {
  const { n, at, change } = version;
  const document = versionDocument(service, { n, passingOf: at ?? n, change });
  return api.upload({ projectId, serviceName: service, document, version: `1.${n}.0` });
}
