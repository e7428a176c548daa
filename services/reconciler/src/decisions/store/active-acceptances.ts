import { createBatcher } from '@bomtrail/concurrency';
import type { Collection } from 'mongodb';
import { allProjects, type AcceptanceDocument } from '../../tracking/store/documents';
import type { Acceptances } from '../../tracking/ports';
import type { AcceptanceEpochs, ActiveAcceptances, ActiveDecisions, ProjectEpoch } from '../ports';
import { firstEpoch } from './acceptance-epochs';
import type { Service } from '../../tracking/domain/types';

/** Of the services of a decision, these alone: a rule by owner may have thousands. */
function servicesAmong(serviceIds: readonly string[]): object {
  const these = { $setIntersection: ['$services', [...serviceIds]] };
  return { $cond: [{ $eq: ['$services', null] }, null, these] };
}

/** Concurrent reads combined into one. */
const readsAtOnce = 64;

/** Reads the decisions that apply in services. */
export function createActiveAcceptances(
  acceptances: Collection<AcceptanceDocument>,
): Omit<ActiveDecisions, 'lapse'> {
  async function activeIn(
    projectId: string,
    serviceIds: readonly string[],
  ): Promise<Map<string, ActiveAcceptances>> {
    const found = await acceptances
      .aggregate<AcceptanceDocument & { now: Date }>([
        {
          $match: {
            project_id: { $in: [projectId, allProjects] },
            services: { $in: [null, ...serviceIds] },
            lapsed: false,
            pending: { $ne: 'revert' },
          },
        },
        { $set: { now: '$$NOW', services: servicesAmong(serviceIds) } },
      ])
      .toArray();
    const now = found[0]?.now ?? new Date();
    const everywhere = found.filter(({ services }) => services === null);
    const own = new Map<string, AcceptanceDocument[]>(serviceIds.map((id) => [id, []]));
    for (const one of found) for (const id of one.services ?? []) own.get(id)?.push(one);
    return new Map(
      [...own].map(([id, some]) => [id, { acceptances: [...everywhere, ...some], now }]),
    );
  }

  return {
    activeIn,
    async active({ project_id, service_id }) {
      const found = await activeIn(project_id, [service_id]);
      return found.get(service_id) as ActiveAcceptances;
    },
  };
}

/** The decisions with concurrent reads combined into one. No result is older than its request. */
export function createBatchedAcceptances(
  acceptances: AcceptanceEpochs & Omit<ActiveDecisions, 'active'>,
): Acceptances {
  return {
    epoch: createBatcher<string, ProjectEpoch>(async (projectIds) => {
      const epochs = await acceptances.epochsOf(projectIds);
      return projectIds.map((id) => epochs.get(id) ?? firstEpoch);
    }, readsAtOnce),
    active: createBatcher<Service, ActiveAcceptances>(async (services) => {
      const found = new Map<string, ActiveAcceptances>();
      const projects = new Set(services.map(({ project_id }) => project_id));
      const reads = Array.from(projects, async (project_id) => {
        const own = services.filter((service) => service.project_id === project_id);
        const ids = [...new Set(own.map(({ service_id }) => service_id))];
        for (const [id, active] of await acceptances.activeIn(project_id, ids))
          found.set(id, active);
      });
      await Promise.all(reads);
      return services.map(({ service_id }) => found.get(service_id) as ActiveAcceptances);
    }, readsAtOnce),
    lapse: acceptances.lapse,
  };
}
