import { createBatcher, createKeyedMutex } from '@bomtrail/concurrency';
import { type Database, inTransaction, isDuplicateKey } from '@bomtrail/mongo';
import type { DetailsStore, SaveOutcome, ServiceStates } from '../ports';
import type { ServiceStateDocument } from './documents';
import { createProjectStore } from './project-store';
import { asRead, servicesAtOnce } from './service-reads';
import {
  createChangeWriter,
  openDetails,
  type Save,
  type ServiceChange,
  type StoredService,
} from './write-changes';
import { decidedStatuses } from '../domain/decisions';
import type { SbomVersion, TrackedVulnerability } from '../domain/types';

/**
 * The maximum number of vulnerabilities saved in one batch: each takes MongoDB a few tenths of a millisecond, during which
 * other saves wait. A service with more is saved alone, one at a time: if several such transactions do not fit into the
 * database cache, it rolls them back repeatedly.
 */
const vulnerabilitiesPerBatch = 640;

type SaveEnd = PromiseSettledResult<SaveOutcome>;

/**
 * Saves changes of services; concurrent ones share a transaction (ADR 0047). Each service is changed only if it is
 * unchanged since it was read, completely or not at all, and independently of the others.
 *
 * @param most the maximum number of vulnerabilities in one transaction, at least 1
 */
export function createServiceSaver(
  database: Database,
  details: DetailsStore,
  most: number,
): ServiceStates['save'] {
  const { db, client } = database;
  const states = db.collection<ServiceStateDocument>('service_states');
  const projects = createProjectStore(database);
  const changes = createChangeWriter(db);
  const withKey = createKeyedMutex();

  /**
   * Saves all in one transaction, or nothing: if a service has changed, a project was deleted, or (with `begins`) other
   * transactions create services in the same project.
   */
  async function saveTogether(saves: readonly Save[], begins: boolean): Promise<boolean> {
    const begun = saves.filter(({ before }) => begins && !before.state);
    const projectIds = begun.map(({ change }) => change.project_id);
    let attempts = 0;
    await details.use(saves.flatMap(({ change }) => openDetails(change)));
    try {
      return await inTransaction(client, async (session) => {
        attempts += 1;
        const isContended = attempts > 1 && projectIds.length > 0;
        if (!isContended) {
          await changes.addToProjects(projectIds, session);
          if (await changes.write(saves, { session, begins })) return true;
        }
        await session.abortTransaction();
        return false;
      });
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  /**
   * Creates the empty state of a service in a short transaction, because services of one project wait for each other in
   * it.
   */
  async function begin({ service_id, project_id }: Save['change']): Promise<'begun' | 'deleted'> {
    const empty = { _id: service_id, project_id, version: 0, head: null, revision: 0 };
    try {
      return await projects.addTo(project_id, async (session) => {
        await states.insertOne(empty, { session });
        return 'begun' as const;
      });
    } catch (error) {
      if (isDuplicateKey(error)) return 'begun';
      throw error;
    }
  }

  async function saveAlone({ before, change }: Save): Promise<SaveOutcome> {
    const { service_id, project_id } = change;
    if (!before.state) {
      const begun = await withKey(project_id, () => begin(change));
      if (begun === 'deleted') return begun;
    }
    const version = before.state?.version ?? 0;
    for (const [written, part] of splitChange(before, change, most).entries()) {
      const state =
        written === 0 ? before.state : asRead(await states.findOne({ _id: service_id }));
      if (state === 'deleted') return state;
      if ((state?.version ?? 0) !== version + written) return 'lost';
      const save = { before: { ...before, state }, change: part };
      if (!(await saveTogether([save], false))) return 'lost';
    }
    return 'saved';
  }

  const saveBatch = createBatcher<Save, SaveEnd>(
    async (saves) => {
      const [end] = await Promise.allSettled([saveTogether(saves, true)]);
      if (end.status === 'fulfilled' && end.value)
        return saves.map(() => ({ status: 'fulfilled', value: 'saved' }));
      if (end.status === 'rejected' && saves.length === 1) return [end];
      // Retry each alone to isolate the failure.
      return Promise.allSettled(saves.map(saveAlone));
    },
    servicesAtOnce,
    nextBatch,
  );

  return async (before, change) => {
    const save = { before, change };
    const { length } = change.vulnerabilities;
    if (length > Math.min(most, vulnerabilitiesPerBatch))
      return withKey('large changes', () => saveAlone(save));
    const end = await saveBatch(save);
    if (end.status === 'rejected') throw end.reason;
    return end.value;
  };
}

/** The services to save next: in order within a project, round-robin over projects. */
export function nextBatch<
  Change extends { change: { project_id: string; vulnerabilities: readonly unknown[] } },
>(waiting: readonly Change[]): Change[] {
  const before = new Map<string, number>();
  const ranked = waiting.map((save) => {
    const { project_id } = save.change;
    const rank = before.get(project_id) ?? 0;
    before.set(project_id, rank + 1);
    return { save, rank };
  });
  ranked.sort((a, b) => a.rank - b.rank);
  let vulnerabilities = 0;
  const end = ranked.findIndex(({ save }, index) => {
    vulnerabilities += save.change.vulnerabilities.length;
    return index > 0 && vulnerabilities > vulnerabilitiesPerBatch;
  });
  return ranked.slice(0, end < 0 ? undefined : end).map(({ save }) => save);
}

const order: readonly TrackedVulnerability['status'][] = [
  'open',
  ...decidedStatuses,
  'fixed',
  'vanished',
  'merged',
];

/**
 * Splits a change into parts of at most `vulnerabilitiesAtOnce` vulnerabilities, each written in its own
 * transaction, in this order. Readers may see the state between two parts:
 *
 * - Every vulnerability is in its old or its new state, and refers to stored SBOM versions: new versions come
 *   with the first part, removed ones go with the last.
 * - Vulnerabilities that will be listed come first, so that none is missing in between.
 * - The service state records pending updates, and nothing that holds for all vulnerabilities only.
 *
 * Returns one part if that suffices.
 */
export function splitChange(
  before: StoredService,
  change: ServiceChange,
  vulnerabilitiesAtOnce: number,
): ServiceChange[] {
  if (change.vulnerabilities.length <= vulnerabilitiesAtOnce) return [change];
  const vulnerabilities = order.flatMap((status) =>
    change.vulnerabilities.filter((vulnerability) => vulnerability.status === status),
  );
  const joining = change.replacedVersions.filter((sbomVersion) => !('removed' in sbomVersion));
  const removing = change.replacedVersions.filter((sbomVersion) => 'removed' in sbomVersion);
  const partial: ServiceChange = {
    ...change,
    head: later(before.state?.head ?? null, change.head),
    revision: before.state?.revision ?? 0,
    pendingUpdates: change.pendingUpdates ?? {
      began: before.state?.version ?? 0,
      removing: removing.map(({ _id }) => _id),
    },
    replacedVersions: [],
    newVersions: [],
    lastFindings: undefined,
    packageRevisions: undefined,
    counts: undefined,
  };
  const parts: ServiceChange[] = [];
  for (let from = 0; from < vulnerabilities.length; from += vulnerabilitiesAtOnce) {
    const isFirst = from === 0;
    const isLast = from + vulnerabilitiesAtOnce >= vulnerabilities.length;
    parts.push({
      ...(isLast ? change : partial),
      vulnerabilities: vulnerabilities.slice(from, from + vulnerabilitiesAtOnce),
      replacedVersions: [...(isFirst ? joining : []), ...(isLast ? removing : [])],
      newVersions: isFirst ? change.newVersions : [],
    });
  }
  return parts;
}

/** The head while both old and new versions are stored. */
function later(before: SbomVersion | null, after: SbomVersion | null): SbomVersion | null {
  return before && (!after || before.seq > after.seq) ? before : after;
}
