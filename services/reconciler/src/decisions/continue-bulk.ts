import type { ExportCursor } from '@bomtrail/messages';
import type { Leases } from '@bomtrail/mongo';
import { v5 as idFrom } from 'uuid';
import { changeService } from '../tracking/change-service';
import { onlyAcceptances } from '../tracking/plan';
import type { ChangeDeps } from '../tracking/stored-service';
import type { AcceptanceDocument } from '../tracking/store/documents';
import type { UploadsFirst } from '../tracking/yield-to-uploads';
import { isAboutAll, packageOfPurl } from '../queries/domain/package-of-purl';
import { allVersions } from '../tracking/domain/snapshot';
import type { ExportStore } from '../queries/store/export-store';
import type { BulkDocument, BulkRow, BulkStore, ServiceOfBulk } from './ports';
import { underLease } from './under-lease';

/** Decisions stored in one transaction: a few tenths of a second on two busy cores. */
const storedAtOnce = 1_000;
/** Services brought up to date between two records of the progress. */
const servicesAtOnce = 64;
/** Decisions whose services are brought up to date together beside uploads; one service may have more. */
const decisionsAtOnce = 500;

export interface ContinueBulkDeps {
  bulk: BulkStore;
  exports: ExportStore;
  leases: Leases;
  /** Dependencies that batch changes of many services. */
  batched: ChangeDeps;
  uploadsFirst: UploadsFirst;
}

/**
 * Carries a bulk decision on from where it is: first all decisions are stored, which every other change of a
 * service applies from then on, then the services are brought up to date, slowly beside uploads. Every step can be
 * repeated. Does nothing if another process is at it.
 */
export async function continueBulk(deps: ContinueBulkDeps, id: string): Promise<void> {
  await underLease(deps.leases, `bulk-decision:${id}`, async () => {
    for (;;) {
      const job = await deps.bulk.byId(id);
      if (!job || job.revoked || job.state === 'done') return;
      if ((await (job.state === 'storing' ? storeSlowly : applySome)(deps, job)) === 'over') return;
    }
  });
}

/** Stores some decisions, with a pause after them beside uploads. */
async function storeSlowly(deps: ContinueBulkDeps, job: BulkDocument): Promise<'on' | 'over'> {
  const store = async (): Promise<('on' | 'over')[]> => [await storeSome(deps, job)];
  const [outcome = 'over'] = await deps.uploadsFirst.rescans([job._id], store);
  return outcome;
}

async function storeSome(deps: ContinueBulkDeps, job: BulkDocument): Promise<'on' | 'over'> {
  const { ids, next, isNamed } = await select(deps, job);
  const { rows, not_found: missing } = await deps.bulk.rows(job.project_id, ids);
  const decisions = rows.map((row) => decisionOn(job, row));
  if (decisions.length > 0) {
    const stored = await deps.bulk.store(job, decisions);
    if (stored === 'deleted') await deps.bulk.forget(job._id);
    if (stored !== 'stored') return 'over';
  }
  const not_found = job.not_found + (isNamed ? missing : 0);
  const state = next === null ? 'applying' : 'storing';
  const saved = await deps.bulk.advance(job._id, { state, position: next, not_found });
  return saved === 'revoked' ? 'over' : 'on';
}

/** The next vulnerabilities. */
async function select(
  deps: ContinueBulkDeps,
  { vulnerability_ids, filter, position, project_id }: BulkDocument,
): Promise<{ ids: string[]; next: BulkDocument['position']; isNamed: boolean }> {
  if (vulnerability_ids) {
    const from = typeof position === 'number' ? position : 0;
    const ids = vulnerability_ids.slice(from, from + storedAtOnce);
    const to = from + ids.length;
    return { ids, next: to < vulnerability_ids.length ? to : null, isNamed: true };
  }
  const open = { ...filter, project_id, statuses: ['open'] as const };
  const after = position as ExportCursor | null;
  const { found, next } = await deps.exports.part(open, { after, limit: storedAtOnce });
  const version = filter?.purl ? (packageOfPurl(filter.purl)?.version ?? null) : null;
  const decided = found.filter((one) => !one.found || isAboutAll(version, allVersions(one.found)));
  return { ids: decided.map(({ _id }) => _id), next, isNamed: false };
}

async function applySome(deps: ContinueBulkDeps, job: BulkDocument): Promise<'on' | 'over'> {
  const { project_id } = job;
  const services = await deps.bulk.services(job._id, job.service, servicesAtOnce);
  const last = services.at(-1);
  if (last === undefined) {
    await deps.bulk.advance(job._id, { state: 'done' });
    return 'over';
  }
  const change = (some: readonly ServiceOfBulk[]): Promise<unknown[]> =>
    Promise.all(
      some.map(({ service_id }) =>
        changeService(deps.batched, { service_id, project_id }, onlyAcceptances()),
      ),
    );
  await Promise.all(groupsOf(services).map((group) => deps.uploadsFirst.rescans(group, change)));
  const saved = await deps.bulk.advance(job._id, { service: last.service_id });
  return saved === 'revoked' ? 'over' : 'on';
}

/** In order, in groups of some decisions, so that the work between two pauses has a bound. */
function groupsOf(services: readonly ServiceOfBulk[]): ServiceOfBulk[][] {
  const groups: ServiceOfBulk[][] = [];
  let room = 0;
  for (const service of services) {
    if (service.decisions > room || groups.length === 0) {
      groups.push([]);
      room = decisionsAtOnce;
    }
    groups.at(-1)?.push(service);
    room -= service.decisions;
  }
  return groups;
}

/** The decision on one vulnerability, in its service and package; the same id whenever it is made. */
function decisionOn(job: BulkDocument, row: BulkRow): AcceptanceDocument {
  const { _id: bulk_id, project_id, content, created_at } = job;
  return {
    ...content,
    _id: idFrom(row.id, bulk_id),
    bulk_id,
    project_id,
    services: [row.service_id],
    packages: [{ package_key: row.package_key }],
    vulnerability_id: row.id,
    identity: row.identity,
    source: 'manual',
    source_document: null,
    updated_by: null,
    created_at,
    updated_at: created_at,
    decided_at: created_at,
    former: [],
    lapsed: false,
    pending: null,
  };
}
