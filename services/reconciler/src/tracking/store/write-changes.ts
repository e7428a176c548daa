import type { AnyBulkWriteOperation, ClientSession, Db, Filter, UpdateFilter } from 'mongodb';
import type { PackageRevisions } from '../domain/package-revisions';
import type { SbomVersion, TrackedVulnerability, Service } from '../domain/types';
import type {
  KnownProjectDocument,
  ServiceStateDocument,
  SbomVersionDocument,
  TrackedVulnerabilityDocument,
  PendingUpdates,
} from './documents';
import { addTo, type StatusCounts } from './count-keys';
import { createStatusCounts, countChange } from './status-counts';
import { updateOf } from './update-of';
import { toDocument } from './vulnerability-mapping';

/** A stored service. */
export interface StoredService {
  /** Null: nothing was written yet. */
  state: ServiceStateDocument | null;
  /** All vulnerabilities, or those of the requested packages. */
  vulnerabilities: TrackedVulnerability[];
}

/** A change of a service, written at once. */
export interface ServiceChange extends Service {
  head: SbomVersion | null;
  revision: number;
  /** The maximum advisory revision of these vulnerabilities; absent: unchanged. */
  newest?: number | undefined;
  /** Packages at a later revision after the change; absent: none known. */
  packageRevisions?: PackageRevisions | undefined;
  /** New or changed vulnerabilities. */
  vulnerabilities: readonly TrackedVulnerability[];
  /** The stored vulnerabilities may have other fields than were read: they are replaced. */
  replacesVulnerabilities?: true;
  /** All vulnerabilities after the change, where the stored counts may be wrong. Absent: these change by what changes. */
  counts?: StatusCounts | undefined;
  /** Versions or tombstones that replace stored ones with the same ids. */
  replacedVersions: readonly SbomVersionDocument[];
  /** Versions that must not be stored yet; otherwise the write fails. */
  newVersions?: readonly SbomVersionDocument[] | undefined;
  /** The findings reflected after the change; absent: unchanged if no vulnerability changes, else unknown. */
  lastFindings?: { hash: string; epoch: number } | undefined;
  /**
   * For a part of a change: some vulnerabilities stay outdated. Absent: all are up to date after the change.
   */
  pendingUpdates?: Omit<PendingUpdates, 'at'> | undefined;
  /** Trace context of this change. */
  traceparent?: string | undefined;
}

/** A change, and the service on which it was decided. */
export interface Save {
  before: StoredService;
  change: ServiceChange;
}

/** Writes changes of services within a transaction: one command per collection. */
export function createChangeWriter(db: Db) {
  const projects = db.collection<KnownProjectDocument>('known_projects');
  const states = db.collection<ServiceStateDocument>('service_states');
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const counted = createStatusCounts(db);

  return {
    /**
     * Registers new services with their projects, before their states are created in the same transaction. A
     * concurrent delete of a project writes the same document, so that one of them conflicts.
     *
     * @throws a duplicate key error if a project was deleted
     */
    async addToProjects(projectIds: readonly string[], session: ClientSession): Promise<void> {
      if (projectIds.length === 0) return;
      const services = new Map<string, number>();
      for (const id of projectIds) services.set(id, (services.get(id) ?? 0) + 1);
      const moves = [...services].map(([_id, changes]) => ({
        updateOne: {
          filter: { _id, deletion_state: { $exists: false } },
          update: { $inc: { changes } },
          upsert: true,
        },
      }));
      await projects.bulkWrite(moves, { session, ordered: false });
    },

    /**
     * Writes each change if its service is still as `before`.
     *
     * @param begins creates missing service states; their projects must be registered
     * @returns false if a service has changed; the caller must abort the transaction
     * @throws a duplicate key error if a service was created or a version added concurrently
     */
    async write(
      saves: readonly Save[],
      { session, begins }: { session: ClientSession; begins: boolean },
    ): Promise<boolean> {
      const moves = saves.map((save) => {
        return {
          updateOne: { ...stateMove(save), upsert: begins && save.before.state === null },
        };
      });
      const moved = await states.bulkWrite(moves, { session, ordered: false });
      if (moved.matchedCount + moved.upsertedCount !== saves.length) return false;
      const more: StatusCounts = {};
      for (const save of saves) addTo(more, countMove(save), 1);
      await counted.add(more, session);
      const versions = saves.flatMap(({ change }) => versionWrites(change));
      if (versions.length > 0) await sbomVersions.bulkWrite(versions, { session, ordered: false });
      const writes = saves.flatMap(vulnerabilityWrites);
      if (writes.length > 0) await vulnerabilities.bulkWrite(writes, { session, ordered: false });
      return true;
    },
  };
}

/** How a save changes the counts of its service. */
function countMove({ before, change }: Save): StatusCounts {
  if (!change.counts) return countChange(before.vulnerabilities, change.vulnerabilities);
  const more = { ...change.counts };
  addTo(more, before.state?.counts ?? {}, -1);
  return more;
}

/** The update of the service state, conditional on the version, which deletes increase too. */
function stateMove(save: Save): {
  filter: Filter<ServiceStateDocument>;
  update: UpdateFilter<ServiceStateDocument>;
} {
  const { before, change } = save;
  const { service_id, project_id, head, revision, newest, packageRevisions, pendingUpdates } =
    change;
  const version = before.state?.version ?? 0;
  const $set: Partial<ServiceStateDocument> = { head, revision };
  const $inc: Record<string, number> = { version: 1 };
  for (const [key, more] of Object.entries(countMove(save)))
    if (more !== 0) $inc[`counts.${key}`] = more;
  const lastFindings =
    change.lastFindings ??
    (change.vulnerabilities.length === 0 ? lastFindingsOf(before.state) : null);
  if (lastFindings) Object.assign($set, lastFindingsSet(before.state, lastFindings, version + 1));
  if (packageRevisions) $set.package_revisions = packageRevisions;
  if (pendingUpdates) $set.pending_updates = { ...pendingUpdates, at: new Date() };
  // An untraced change removes the trace context of the former one.
  const { traceparent } = change;
  const isUntraced = change.vulnerabilities.length > 0 && !traceparent;
  if (change.vulnerabilities.length > 0 && traceparent) $set.traceparent = traceparent;
  const $unset = {
    ...(before.state?.package_revisions &&
      !packageRevisions && { package_revisions: true as const }),
    ...(before.state?.pending_updates && !pendingUpdates && { pending_updates: true as const }),
    ...(before.state?.traceparent && isUntraced && { traceparent: true as const }),
  };
  return {
    filter: { _id: service_id, version },
    update: {
      $set,
      $inc,
      $max: newest === undefined ? {} : { max_revision: newest },
      ...(before.state === null && { $setOnInsert: { project_id } }),
      ...(Object.keys($unset).length > 0 && { $unset }),
    },
  };
}

/** Fields of `$set`; kilobytes of hashes that are the same are not written again. */
function lastFindingsSet(
  before: ServiceStateDocument | null,
  { hash, epoch }: NonNullable<ServiceChange['lastFindings']>,
  version: number,
): UpdateFilter<ServiceStateDocument>['$set'] {
  return before?.last_findings?.hash === hash
    ? { 'last_findings.epoch': epoch, 'last_findings.version': version }
    : { last_findings: { hash, epoch, version } };
}

/** The findings that the service reflects; null if unknown. */
export function lastFindingsOf(
  state: ServiceStateDocument | null,
): ServiceStateDocument['last_findings'] | null {
  return state?.last_findings?.version === state?.version ? state?.last_findings : null;
}

function versionWrites({
  replacedVersions,
  newVersions = [],
}: ServiceChange): AnyBulkWriteOperation<SbomVersionDocument>[] {
  const replaced = replacedVersions.map(
    (sbomVersion): AnyBulkWriteOperation<SbomVersionDocument> => {
      const { _id, ...replacement } = sbomVersion;
      const { service_id } = sbomVersion;
      return { replaceOne: { filter: { _id, service_id }, replacement, upsert: true } };
    },
  );
  return [...newVersions.map((document) => ({ insertOne: { document } })), ...replaced];
}

function vulnerabilityWrites({
  before,
  change,
}: Save): AnyBulkWriteOperation<TrackedVulnerabilityDocument>[] {
  const { service_id, project_id, replacesVulnerabilities = false } = change;
  const known = new Map(before.vulnerabilities.map((one) => [one.id, one]));
  return change.vulnerabilities.flatMap(
    (vulnerability): AnyBulkWriteOperation<TrackedVulnerabilityDocument>[] => {
      const document = toDocument(vulnerability, { service_id, project_id });
      const former = known.get(vulnerability.id);
      if (!former) return [{ insertOne: { document } }];
      const { _id, ...replacement } = document;
      const filter = { _id, service_id };
      if (replacesVulnerabilities) return [{ replaceOne: { filter, replacement } }];
      const update = updateOf(toDocument(former, { service_id, project_id }), document);
      return update ? [{ updateOne: { filter, update } }] : [];
    },
  );
}

/** The details of the vulnerabilities that are open after a change; they must be in use before its write. */
export function openDetails({ vulnerabilities }: ServiceChange): string[] {
  return vulnerabilities.flatMap(({ status, snapshot }) =>
    status === 'open' && snapshot ? [snapshot.details] : [],
  );
}
