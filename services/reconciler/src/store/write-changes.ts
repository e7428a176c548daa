import type { AnyBulkWriteOperation, ClientSession, Db, Filter, UpdateFilter } from 'mongodb';
import type { PackageRevisions } from '../domain/package-revisions';
import { alertPeriodsAfter, type AlertPeriodFacts } from '../domain/alert-periods';
import type { AlertPeriods, SbomVersion, TrackedVulnerability } from '../domain/types';
import type {
  KnownProjectDocument,
  ServiceStateDocument,
  SbomVersionDocument,
  TrackedVulnerabilityDocument,
  PendingUpdates,
} from './documents';
import { addTo, createOpenCounts, isCounted, openChange, type OpenCounts } from './open-counts';
import { toDocument } from './vulnerability-mapping';

/** A line as it stands. */
export interface StoredService {
  /** Null: nothing was written for this line yet. */
  state: ServiceStateDocument | null;
  /** All of them, or those of the packages that were asked for. */
  vulnerabilities: TrackedVulnerability[];
}

/** What changes on a line, in one write. */
export interface ServiceChange {
  service_id: string;
  project_id: string;
  head: SbomVersion | null;
  revision: number;
  /** The latest advisory revision that any of these rows stands on; absent: of those that stood before. */
  newest?: number | undefined;
  /** Packages whose rows stand on a later revision afterwards; absent: that is known of none. */
  packageRevisions?: PackageRevisions | undefined;
  /** Rows that are new or differ. */
  vulnerabilities: readonly TrackedVulnerability[];
  /** Entries or tombstones that take the place of whatever the log holds under their ids. */
  replacedVersions: readonly SbomVersionDocument[];
  /** States that rows of `vulnerabilities` had in between, oldest first, where several SBOMs are written at once. */
  intermediateStates?: ReadonlyMap<string, readonly TrackedVulnerability[]> | undefined;
  /** Entries that the log does not hold: that it does not is a condition. */
  newVersions?: readonly SbomVersionDocument[] | undefined;
  /** What the rows show afterwards; absent: as before where no row changes, else not known. */
  lastFindings?: { hash: string; epoch: number } | undefined;
  /** Of a part of a change: rows are left behind; absent: all rows are as log and head say afterwards. */
  pendingUpdates?: Omit<PendingUpdates, 'at'> | undefined;
  /** Place of this change in its trace. */
  traceparent?: string | undefined;
}

/** A change of a line, and the line as it was when that was decided. */
export interface Save {
  before: StoredService;
  change: ServiceChange;
}

export type ChangeWriter = ReturnType<typeof createChangeWriter>;

/** Writes changes of lines within a transaction: ledgers, sums, logs and rows, one command for each collection. */
export function createChangeWriter(db: Db) {
  const projects = db.collection<KnownProjectDocument>('known_projects');
  const states = db.collection<ServiceStateDocument>('service_states');
  const sbomVersions = db.collection<SbomVersionDocument>('sbom_versions');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const counted = createOpenCounts(db);

  return {
    /**
     * Before the ledgers of lines that begin, in the same transaction: a delete of one of the projects
     * at the same time writes its document too, so that one of the two sees the other.
     *
     * @throws a duplicate key when one of the projects was deleted
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
     * Each line on condition that it is still as `before`.
     *
     * @param begins the lines without a ledger get one here: their projects were added to
     * @returns false: one of the lines is not, and the transaction must be given up
     * @throws a duplicate key when a line was begun, or an entry joined a log, since
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
      const isUncounted = ({ before }: Save): boolean => !isCounted(before.state);
      const more: OpenCounts = {};
      for (const save of saves)
        if (!isUncounted(save))
          addTo(more, openChange(save.before.vulnerabilities, save.change.vulnerabilities), 1);
      await counted.add(more, session);
      const versions = saves.flatMap(({ change }) => versionWrites(change));
      if (versions.length > 0) await sbomVersions.bulkWrite(versions, { session, ordered: false });
      const writes = saves.flatMap(vulnerabilityWrites);
      if (writes.length > 0) await vulnerabilities.bulkWrite(writes, { session, ordered: false });
      const uncounted = saves.filter(isUncounted).map(({ change }) => change.service_id);
      if (uncounted.length > 0)
        await counted.add(await counted.recount(uncounted, session), session);
      return true;
    },
  };
}

/**
 * The write of a change to the line's ledger, on condition that it is as it was read: deleting the line
 * or its project moves the version too. Where its listed rows are not counted yet, they are to be
 * counted once the rows are written.
 */
function stateMove({ before, change }: Save): {
  filter: Filter<ServiceStateDocument>;
  update: UpdateFilter<ServiceStateDocument>;
} {
  const { service_id, project_id, head, revision, newest, packageRevisions, pendingUpdates } =
    change;
  const version = before.state?.version ?? 0;
  const $set: Partial<ServiceStateDocument> = { head, revision };
  const $inc: Record<string, number> = { version: 1 };
  if (isCounted(before.state)) {
    $set.open_version = version + 1;
    const counts = Object.entries(openChange(before.vulnerabilities, change.vulnerabilities));
    for (const [severity, more] of counts) if (more !== 0) $inc[`open_counts.${severity}`] = more;
  }
  const lastFindings =
    change.lastFindings ??
    (change.vulnerabilities.length === 0 ? lastFindingsOf(before.state) : null);
  if (lastFindings)
    $set.last_findings = {
      hash: lastFindings.hash,
      epoch: lastFindings.epoch,
      version: version + 1,
    };
  if (packageRevisions) $set.package_revisions = packageRevisions;
  if (pendingUpdates) $set.pending_updates = { ...pendingUpdates, at: new Date() };
  // Of a change that was not traced no former one's place is told.
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
      ...{ $set, $inc, $max: newest === undefined ? {} : { max_revision: newest } },
      ...(before.state === null && { $setOnInsert: { project_id } }),
      ...(Object.keys($unset).length > 0 && { $unset }),
    },
  };
}

/** What the rows of a line show, where that is known: an earlier release leaves it behind. */
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
      return { replaceOne: { filter: { _id }, replacement, upsert: true } };
    },
  );
  return [...newVersions.map((document) => ({ insertOne: { document } })), ...replaced];
}

/**
 * The writes of a change to the rows of its line: the one place in which their episodes move on, from
 * those that are stored.
 */
function vulnerabilityWrites({
  before,
  change,
}: Save): AnyBulkWriteOperation<TrackedVulnerabilityDocument>[] {
  const { service_id, project_id } = change;
  const known = new Map(
    before.vulnerabilities.map((vulnerability) => [vulnerability.id, vulnerability]),
  );
  const now = new Date();
  return change.vulnerabilities.map(
    (vulnerability): AnyBulkWriteOperation<TrackedVulnerabilityDocument> => {
      const former = known.get(vulnerability.id);
      const alert_periods = alertPeriodsThrough(
        former,
        [...(change.intermediateStates?.get(vulnerability.id) ?? []), vulnerability],
        now,
      );
      const document = toDocument({ ...vulnerability, alert_periods }, { service_id, project_id });
      if (!former) return { insertOne: { document } };
      const { _id, ...replacement } = document;
      return { replaceOne: { filter: { _id }, replacement } };
    },
  );
}

/** The episodes of a row that has gone through these states, the last of which is written. */
function alertPeriodsThrough(
  former: TrackedVulnerability | undefined,
  states: readonly TrackedVulnerability[],
  now: Date,
): AlertPeriods | undefined {
  let stood: AlertPeriodFacts | undefined = former;
  for (const state of states)
    stood = { ...state, alert_periods: alertPeriodsAfter(stood, state, now) };
  return stood?.alert_periods;
}
