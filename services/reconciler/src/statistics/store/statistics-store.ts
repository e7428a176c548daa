import type { Database, IndexPlan } from '@bomtrail/mongo';
import type { DayCounts } from '../domain/daily-statistics';
import type { Span, VersionTimes } from '../domain/stretches';
import type {
  AcceptanceDocument,
  DetailsDocument,
  ServiceStateDocument,
  SbomVersionDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { createProjectStore } from '../../tracking/store/project-store';

/** The statistics of a project on a day. */
export interface DayDocument extends DayCounts {
  _id: string;
  project_id: string;
  /** Components of the newest SBOMs as they were evaluated on the day; absent: unknown. */
  components?: { total: number; undetermined: number };
}

/** What the stored statistics of a project are based on. */
export interface ProgressDocument {
  /** The project's id. */
  _id: string;
  /** Changes with every change of a service or an acceptance. */
  fingerprint: string;
  computed_at: Date;
}

export const statisticsIndexes: IndexPlan = {
  daily_statistics: [{ key: { project_id: 1, day: 1 } }, { key: { day: 1, project_id: 1 } }],
};

/** A service with the facts that its statistics follow from. */
export interface ServiceFacts {
  versions: VersionTimes;
  vulnerabilities: Pick<
    TrackedVulnerabilityDocument,
    'service_id' | 'severity' | 'presence' | 'detected_at' | 'details_id'
  >[];
}

const servicesAtOnce = 200;
const listed = ['open', 'accepted', 'fixed'] as const;

export type StatisticsStore = ReturnType<typeof createStatisticsStore>;

/** Daily statistics of projects, and the facts that they follow from. */
export function createStatisticsStore(database: Database) {
  const { db } = database;
  const days = db.collection<DayDocument>('daily_statistics');
  const progress = db.collection<ProgressDocument>('statistics_progress');
  const states = db.collection<ServiceStateDocument>('service_states');
  const epochs = db.collection<{ _id: string; epoch: number }>('acceptance_epochs');
  const versions = db.collection<SbomVersionDocument>('sbom_versions');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const projects = createProjectStore(database);

  /** The versions of services, by service. */
  async function versionsOf(serviceIds: readonly string[]): Promise<Map<string, VersionTimes>> {
    const found = new Map<string, VersionTimes[number][]>();
    const all = versions
      .find({ service_id: { $in: [...serviceIds] }, removed: { $exists: false } })
      .sort({ service_id: 1, seq: 1 });
    for await (const one of all) {
      if ('removed' in one) continue;
      const { service_id, seq, created_at, scanned_at } = one;
      const version = { seq, created_at, ...(scanned_at && { scanned_at }) };
      const same = found.get(service_id);
      if (same) same.push(version);
      else found.set(service_id, [version]);
    }
    return found;
  }

  return {
    /** All projects with services, each with a value that changes with its facts. */
    async fingerprints(): Promise<Map<string, string>> {
      const sums = states.aggregate<{ _id: string; versions: number; services: number }>([
        { $match: { deletion_state: { $ne: 'with-project' } } },
        { $group: { _id: '$project_id', versions: { $sum: '$version' }, services: { $sum: 1 } } },
      ]);
      const found = await sums.toArray();
      const known = await epochs.find().toArray();
      const epochOf = new Map(known.map(({ _id, epoch }) => [_id, epoch]));
      return new Map(
        found.map(({ _id, ...sum }) => [
          _id,
          `${sum.services} ${sum.versions} ${epochOf.get(_id) ?? 0}`,
        ]),
      );
    },

    async progress(): Promise<Map<string, ProgressDocument>> {
      const all = await progress.find().toArray();
      return new Map(all.map((one) => [one._id, one]));
    },

    /** The services of a project in batches, with their facts. */
    async *facts(projectId: string): AsyncGenerator<ServiceFacts[]> {
      const ofProject = { project_id: projectId, deletion_state: { $exists: false } };
      let after = '';
      for (;;) {
        const some = await states
          .find({ ...ofProject, _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(servicesAtOnce)
          .project<{ _id: string }>({ _id: 1 })
          .toArray();
        const ids = some.map(({ _id }) => _id);
        if (ids.length === 0) return;
        const byService = await versionsOf(ids);
        const facts = new Map(
          ids.map((id): [string, ServiceFacts] => [
            id,
            { versions: byService.get(id) ?? [], vulnerabilities: [] },
          ]),
        );
        const found = vulnerabilities
          .find({ service_id: { $in: ids }, status: { $in: [...listed] } })
          .project<ServiceFacts['vulnerabilities'][number]>({
            service_id: 1,
            severity: 1,
            presence: 1,
            detected_at: 1,
            details_id: 1,
          });
        for await (const one of found) facts.get(one.service_id)?.vulnerabilities.push(one);
        yield [...facts.values()];
        if (ids.length < servicesAtOnce) return;
        after = ids.at(-1) ?? '';
      }
    },

    /** The digests of the newest scanned SBOMs of a project, one for each service. */
    async newestDigests(projectId: string): Promise<string[]> {
      const found = await states
        .find({ project_id: projectId, deletion_state: { $exists: false } })
        .project<{ head: ServiceStateDocument['head'] }>({ 'head.digest': 1 })
        .toArray();
      return found.flatMap(({ head }) => head?.digest ?? []);
    },

    /** The times in which an acceptance of the project applies to details in a service. */
    async acceptedTimes(
      projectId: string,
    ): Promise<(of: { service_id: string; details_id?: string }) => Span[]> {
      const pending = { $ne: 'revert' as const };
      const all = await acceptances.find({ project_id: projectId, pending }).toArray();
      const names = all.flatMap(({ identity }) => identity);
      const naming = await details
        .find({ alias_keys: { $in: names } })
        .project<Pick<DetailsDocument, '_id' | 'alias_keys'>>({ alias_keys: 1 })
        .toArray();
      const byDetails = new Map(
        naming.map(({ _id, alias_keys }) => [
          _id,
          all.filter(({ identity }) => identity.some((name) => alias_keys.includes(name))),
        ]),
      );
      return ({ service_id, details_id = '' }) =>
        (byDetails.get(details_id) ?? [])
          .filter((one) => one.service_id === null || one.service_id === service_id)
          .map(({ created_at, expires_at }) => {
            return { from: created_at.getTime(), to: expires_at?.getTime() ?? null };
          });
    },

    /** The stored days of a project from one on, in order. */
    stored: (projectId: string, from: string): Promise<DayDocument[]> =>
      days
        .find({ project_id: projectId, day: { $gte: from } })
        .sort({ day: 1 })
        .toArray(),

    /** The stored days of several projects in a period; those of deleted projects are left out. */
    period: (
      where: { project_id?: string | undefined; without: readonly string[] },
      from: string,
    ): AsyncIterable<DayDocument> =>
      days.find({
        day: { $gte: from },
        ...(where.project_id === undefined
          ? { project_id: { $nin: [...where.without] } }
          : { project_id: where.project_id }),
      }),

    /**
     * Stores days and what they are based on, unless the project was deleted. Days before `oldest` are
     * dropped.
     */
    save: (
      at: ProgressDocument,
      changed: readonly DayDocument[],
      oldest: string,
    ): Promise<'saved' | 'deleted'> =>
      projects.addTo(at._id, async (session) => {
        if (changed.length > 0)
          await days.bulkWrite(
            changed.map(({ _id, ...replacement }) => {
              return { replaceOne: { filter: { _id }, replacement, upsert: true } };
            }),
            { session, ordered: false },
          );
        await days.deleteMany({ project_id: at._id, day: { $lt: oldest } }, { session });
        const { _id, ...replacement } = at;
        await progress.replaceOne({ _id }, replacement, { session, upsert: true });
        return 'saved' as const;
      }),
  };
}
