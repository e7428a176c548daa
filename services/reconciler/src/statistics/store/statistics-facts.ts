import type { Db } from 'mongodb';
import {
  allProjects,
  type SbomVersionDocument,
  type ServiceStateDocument,
  type TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import type { VersionTimes } from '../domain/stretches';
import type {
  DecidedVulnerability,
  ProjectDecisions,
  ServiceFacts,
  StatisticsFacts,
  VulnerabilityFacts,
} from '../ports';
import { createProjectDecisions } from './project-decisions';
import { addTo } from '../../tracking/domain/grouped';
import { countedStatuses } from '../../tracking/store/count-keys';

const servicesAtOnce = 200;

export function createStatisticsFacts(db: Db): StatisticsFacts {
  const states = db.collection<ServiceStateDocument>('service_states');
  const epochs = db.collection<{ _id: string; epoch?: number }>('acceptance_epochs');
  const versions = db.collection<SbomVersionDocument>('sbom_versions');
  const vulnerabilitiesOf = createVulnerabilityFacts(db);

  /** The versions of services, by service. */
  async function versionsOf(serviceIds: readonly string[]): Promise<Map<string, VersionTimes>> {
    const found = new Map<string, VersionTimes[number][]>();
    const all = versions
      .find({ service_id: { $in: [...serviceIds] }, removed: { $exists: false } })
      .sort({ service_id: 1, seq: 1 });
    for await (const one of all) {
      if ('removed' in one) continue;
      const { service_id, seq, created_at, scanned_at } = one;
      addTo(found, service_id, { seq, created_at, ...(scanned_at && { scanned_at }) });
    }
    return found;
  }

  return {
    async fingerprints() {
      const sums = states.aggregate<{ _id: string; versions: number; services: number }>([
        { $match: { deletion_state: { $ne: 'with-project' } } },
        { $group: { _id: '$project_id', versions: { $sum: '$version' }, services: { $sum: 1 } } },
      ]);
      const found = await sums.toArray();
      const known = await epochs.find().toArray();
      const epochOf = new Map(known.map(({ _id, epoch }) => [_id, epoch ?? 0]));
      const forAll = epochOf.get(allProjects) ?? 0;
      return new Map(
        found.map(({ _id, ...sum }) => [
          _id,
          `${sum.services} ${sum.versions} ${(epochOf.get(_id) ?? 0) + forAll}`,
        ]),
      );
    },

    async *facts(projectId, decided) {
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
        for await (const { service_id, ...some } of vulnerabilitiesOf(ids, decided))
          facts.get(service_id)?.vulnerabilities.push(some);
        yield [...facts.values()];
        if (ids.length < servicesAtOnce) return;
        after = ids.at(-1) ?? '';
      }
    },

    async newestDigests(projectId) {
      const found = await states
        .find({ project_id: projectId, deletion_state: { $exists: false } })
        .project<{ head: ServiceStateDocument['head'] }>({ 'head.digest': 1 })
        .toArray();
      return found.flatMap(({ head }) => head?.digest ?? []);
    },

    decisions: createProjectDecisions(db),
  };
}

type OfService = Pick<TrackedVulnerabilityDocument, 'service_id'>;

const facts = ['service_id', 'severity', 'presence', 'detected_at'] as const;
const identity = ['details_id', 'package_key', 'found'] as const;
type Stored = Pick<TrackedVulnerabilityDocument, (typeof facts)[number]>;

/**
 * Reads the vulnerabilities of services: those that may be decided about one by one, the others counted by MongoDB,
 * since reading 60,000 takes two seconds of CPU.
 */
function createVulnerabilityFacts(db: Db) {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const shown = Object.fromEntries([...facts, ...identity].map((name) => [name, 1]));
  const same = Object.fromEntries(facts.map((name) => [name, `$${name}`]));

  return async function* vulnerabilityFacts(
    serviceIds: readonly string[],
    { details }: Pick<ProjectDecisions, 'details'>,
  ): AsyncGenerator<VulnerabilityFacts & OfService> {
    const all = { service_id: { $in: [...serviceIds] }, status: { $in: [...countedStatuses] } };
    if (details?.length !== 0) {
      const decided = { ...all, ...(details && { details_id: { $in: [...details] } }) };
      const found = vulnerabilities.find(decided).project<Stored & DecidedVulnerability>(shown);
      for await (const one of found) yield { ...one, count: 1, one };
    }
    if (!details) return;
    const counted = vulnerabilities.aggregate<{ _id: Stored; count: number }>([
      { $match: { ...all, details_id: { $nin: [...details] } } },
      { $group: { _id: same, count: { $sum: 1 } } },
    ]);
    for await (const { _id, count } of counted) yield { ..._id, count };
  };
}
