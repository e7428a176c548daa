import {
  groupings,
  groupVulnerabilities,
  listActive,
  severities,
  summariseActive,
  vulnerabilitySorts,
  type Severity,
} from '@bomtrail/messages';
import { connectBus, createRequest, type Request } from '@bomtrail/messaging';
import { createLogger } from '@bomtrail/telemetry';
import type { Db } from 'mongodb';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../tracking/store/documents';
import type { ListFilter } from '../queries/store/list-filter';
import type { ListOrder } from '../queries/store/list-plan';
import { startFilled, type MeasuredDatabase } from './start-filled';

export interface ListsOrder {
  databases: MeasuredDatabase[];
  /** Requests of each kind to each database. */
  samples: number;
  /** For all requests together; kinds measured later have fewer samples. */
  seconds: number;
}

/** Milliseconds of one kind of request, by database. */
export interface MeasuredRequest {
  scope: string;
  sort: string;
  page: string;
  ms: number[][];
}

export interface MeasuredLists {
  databases: {
    vulnerabilities: number;
    open: number;
    states: number;
    dataBytes: number;
    indexBytes: number;
    /** By index of the tracked vulnerabilities. */
    indexes: Record<string, number>;
    scopes: Record<string, number>;
    prepareSeconds: number;
  }[];
  requests: MeasuredRequest[];
}

const per_page = 50;
const pages = [1, 100];
const prefix = 'lists_';
const usualService = 50;
const warmUps = 3;

interface Opened {
  request: Request;
  scopes: Record<string, ListFilter>;
  description: MeasuredLists['databases'][number];
  close(): Promise<void>;
}

/**
 * Requests the active list in every order of every filter, and the summary, from a running reconciler. Each
 * request goes to one database after the other, so that other load on the machine affects all of them.
 */
export async function measureLists(
  order: ListsOrder,
  say: (line: string) => void,
): Promise<MeasuredLists> {
  const opened: Opened[] = [];
  try {
    for (const database of order.databases) opened.push(await openDatabase(database, say));
    const requests: MeasuredRequest[] = [];
    const plans = requestsOf(Object.keys(opened[0]?.scopes ?? {}));
    const end = performance.now() + order.seconds * 1000;
    for (const [number, { scope, sort, page, send }] of plans.entries()) {
      const ms: number[][] = opened.map(() => []);
      const share = (end - performance.now()) / (plans.length - number);
      const until = performance.now() + share;
      for (let sample = -warmUps; sample < order.samples; sample++) {
        for (const [index, one] of opened.entries()) {
          const begin = performance.now();
          await send(one.request, one.scopes[scope] ?? {});
          if (sample >= 0) ms[index]?.push(performance.now() - begin);
        }
        if (sample >= 0 && performance.now() > until) break;
      }
      requests.push({ scope, sort, page, ms });
      if (number % 50 === 49) say(`${number + 1} of ${plans.length} requests measured`);
    }
    return { databases: opened.map(({ description }) => description), requests };
  } finally {
    for (const one of opened) await one.close();
  }
}

interface ListRequest {
  scope: string;
  sort: string;
  page: string;
  send: (request: Request, filter: ListFilter) => Promise<unknown>;
}

/** Filters beyond scope, severity and id, everywhere and in a project. */
const narrow = narrowScopes('');
/** Filters of which groups are measured, too. */
const narrowest = ['exploited', 'with a fix', 'direct', 'an ecosystem of a third'];
/** Each is read by another plan. */
const someOrders: ListOrder[] = [
  { sort: 'cvss_score', order: 'desc' },
  { sort: 'package_name', order: 'asc' },
  { sort: 'first_seen_at', order: 'desc' },
];

function requestsOf(scopes: readonly string[]): ListRequest[] {
  const orders: ListOrder[] = vulnerabilitySorts.flatMap((sort) =>
    (['desc', 'asc'] as const).map((order) => ({ sort, order })),
  );
  const lists = scopes.flatMap((scope) =>
    (scope in narrow ? someOrders : orders).flatMap((order) =>
      pages.map((page) => ({
        scope,
        sort: `${order.sort} ${order.order}`,
        page: `page ${page}`,
        send: (request: Request, filter: ListFilter) =>
          request(listActive, { ...filter, ...order, page, per_page }),
      })),
    ),
  );
  const summaries = scopes.map((scope) => ({
    scope,
    sort: '',
    page: 'summary',
    send: (request: Request, filter: ListFilter) => request(summariseActive, filter),
  }));
  const grouped = ['everything', 'project', ...narrowest].flatMap((scope) =>
    groupings.map((group_by) => ({
      scope,
      sort: group_by,
      page: 'groups',
      send: (request: Request, filter: ListFilter) =>
        request(groupVulnerabilities, {
          ...filter,
          group_by,
          statuses: ['open'],
          page: 1,
          per_page,
        }),
    })),
  );
  return [...summaries, ...grouped, ...lists];
}

async function openDatabase(
  database: MeasuredDatabase,
  say: (line: string) => void,
): Promise<Opened> {
  const { db, prepareSeconds, stop } = await startFilled(database, prefix, say);
  const log = createLogger({ service: 'bench', level: 'fatal', format: 'json' });
  const bus = await connectBus({
    settings: { NATS_URL: database.natsUrl },
    service: 'gateway',
    name: 'bench',
    log,
  });
  const scopes = await chooseScopes(db);
  const request = createRequest(bus);
  return {
    request,
    scopes,
    description: {
      ...(await describe(db, request, scopes)),
      vulnerabilities: database.vulnerabilities,
      prepareSeconds,
    },
    async close() {
      await bus.nats.close();
      await stop();
    },
  };
}

/** One filter of each kind; project, service and the common id have the same size in every database. */
async function chooseScopes(db: Db): Promise<Record<string, ListFilter>> {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const states = db.collection<ServiceStateDocument>('service_states');
  const sizes = await states
    .aggregate<{ _id: string; project_id: string; size: number }>([
      {
        $project: {
          project_id: 1,
          size: { $sum: severities.map((severity) => `$counts.${severity}`) },
        },
      },
      { $sort: { _id: 1 } },
      { $limit: 1000 },
    ])
    .toArray();
  const chosen = sizes.sort(
    (a, b) => Math.abs(a.size - usualService) - Math.abs(b.size - usualService),
  )[0];
  const ids = await vulnerabilities
    .aggregate<{ _id: string; count: number }>([
      { $match: { status: 'open' } },
      { $group: { _id: '$details_id', count: { $sum: 1 } } },
      {
        $lookup: { from: 'vulnerability_details', localField: '_id', foreignField: '_id', as: 'd' },
      },
      { $group: { _id: { $first: '$d.cve_id' }, count: { $sum: '$count' } } },
      { $sort: { count: -1, _id: 1 } },
    ])
    .toArray();
  const usual = [...ids].sort((a, b) => Math.abs(a.count - 50) - Math.abs(b.count - 50))[0];
  const project_id = chosen?.project_id ?? '';
  const service_id = chosen?._id ?? '';
  const several: Severity[] = ['critical', 'high'];
  return {
    everything: {},
    project: { project_id },
    service: { service_id },
    'one severity': { severity: ['low'] },
    'two severities': { severity: several },
    'project, one severity': { project_id, severity: ['low'] },
    'project, two severities': { project_id, severity: several },
    'service, two severities': { service_id, severity: several },
    'an id': { cve_id: usual?._id ?? '' },
    'an id, one severity': { cve_id: usual?._id ?? '', severity: ['high'] },
    'an id in a project': { cve_id: usual?._id ?? '', project_id },
    'the most common id': { cve_id: ids[0]?._id ?? '' },
    'the most common id in a project': { cve_id: ids[0]?._id ?? '', project_id },
    'the most common id in a service': { cve_id: ids[0]?._id ?? '', service_id },
    'ten services': { service_ids: sizes.slice(0, 10).map(({ _id }) => _id) },
    ...narrowScopes(project_id),
  };
}

function narrowScopes(project_id: string): Record<string, ListFilter> {
  const filters: Record<string, ListFilter> = {
    'a package': { package_name: 'package-7' },
    'a version of a package': { purl: 'pkg:maven/package-13@1.7.0' },
    'an ecosystem of a tenth': { ecosystem: 'Go' },
    'an ecosystem of a third': { ecosystem: 'npm' },
    'with a fix': { has_fix: true },
    'without a fix': { has_fix: false },
    exploited: { kev: true },
    'not exploited': { kev: false },
    'EPSS from 0.5': { min_epss: 0.5 },
    'EPSS from 0.0001': { min_epss: 0.0001 },
    'a word': { q: 'package-77' },
    'a word that all have': { q: 'about' },
    direct: { is_direct: true },
    'direct with a fix': { is_direct: true, has_fix: true },
  };
  const inProject = Object.entries(filters).map(
    ([name, filter]) => [`${name}, in a project`, { ...filter, project_id }] as const,
  );
  return { ...filters, ...Object.fromEntries(inProject) };
}

async function describe(db: Db, request: Request, scopes: Record<string, ListFilter>) {
  const stats = await db.command({ collStats: 'tracked_vulnerabilities' });
  const counts: Record<string, number> = {};
  for (const [name, filter] of Object.entries(scopes))
    counts[name] = (await request(summariseActive, filter)).body.total;
  return {
    open: counts['everything'] ?? 0,
    states: await db.collection('service_states').estimatedDocumentCount(),
    dataBytes: stats['storageSize'] as number,
    indexBytes: stats['totalIndexSize'] as number,
    indexes: stats['indexSizes'] as Record<string, number>,
    scopes: counts,
  };
}
