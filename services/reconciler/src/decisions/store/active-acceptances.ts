import { createBatcher } from '@bomtrail/concurrency';
import type { Collection } from 'mongodb';
import { allProjects, type AcceptanceDocument } from '../../tracking/store/documents';
import { grouped } from '../../tracking/domain/grouped';
import type { ActiveAcceptances, ActiveDecisions } from '../ports';
import { readsAtOnce } from './acceptance-epochs';
import type { Service } from '../../tracking/domain/types';

/** Of the services of a decision, these alone: a rule by owner may have thousands. */
function servicesAmong(serviceIds: readonly string[]): object {
  const these = { $setIntersection: ['$services', [...serviceIds]] };
  return { $cond: [{ $eq: ['$services', null] }, null, these] };
}

/** Reads the decisions that apply in services, with concurrent reads combined into one. */
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
    active: createBatcher(async (services: Service[]) => {
      const ofProjects = grouped(services, ({ project_id }) => project_id);
      const reads = new Map(
        Array.from(ofProjects, ([project_id, own]) => {
          const ids = own.map(({ service_id }) => service_id);
          return [project_id, activeIn(project_id, [...new Set(ids)])];
        }),
      );
      const read = async ({ project_id, service_id }: Service) =>
        (await reads.get(project_id))?.get(service_id) as ActiveAcceptances;
      return Promise.all(services.map(read));
    }, readsAtOnce),
  };
}
