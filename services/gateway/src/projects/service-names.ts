import * as messages from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { LRUCache } from 'lru-cache';

/** Services per request for names. */
const namesPerRequest = 200;
/** Some 300 bytes each; a few thousand with the most labels. */
const maxKnown = 10_000;
/** An earlier release changes names without their revision, if it runs beside this one. */
const maxAgeMs = 60_000;

/** A service to name, with its project if it is known. */
export type ServiceToName = Pick<messages.VulnerabilityView, 'service_id'> & {
  project_id?: string;
};

/**
 * `nameServices(likely)(services)`: the first call, made before the services are known, starts to read the revision and
 * the names of the likely ones, at most 200; the second returns the names by service id, each as it was after the first
 * call. Services that do not exist are omitted.
 *
 * @throws AppError `service_unavailable`
 */
export type NameServices = (
  likely?: readonly ServiceToName[],
) => (services: readonly ServiceToName[]) => Promise<ReadonlyMap<string, messages.ServiceNames>>;

export interface NamingDeps {
  request: Request;
  nameServices: NameServices;
}

/**
 * Names by service id of services that are known; without any, nobody is asked.
 *
 * @throws AppError `service_unavailable`
 */
export async function namesOf(
  { nameServices }: Pick<NamingDeps, 'nameServices'>,
  service_ids: readonly string[],
): ReturnType<ReturnType<NameServices>> {
  if (service_ids.length === 0) return new Map();
  return nameServices()(service_ids.map((service_id) => ({ service_id })));
}

/** Names that were read are used again while the catalog has the same revision of all names. */
export function createNameServices({ request }: { request: Request }): NameServices {
  const known = new LRUCache<string, { revision: string; names: messages.ServiceNames }>({
    max: maxKnown,
    ttl: maxAgeMs,
  });

  async function read(services: readonly ServiceToName[]): Promise<messages.ServiceNames[]> {
    const service_ids = services.map(({ service_id }) => service_id);
    const project_ids = [...new Set(services.flatMap(({ project_id }) => project_id ?? []))];
    return (await request(messages.nameServices, { service_ids, project_ids })).body;
  }

  return (likely = []) => {
    const checked = request(messages.readNamesRevision, {}).then(
      ({ body }) => body.revision,
      // Without a catalog, in time or of this release: the names themselves are then requested.
      () => null,
    );
    const found = new Map<string, messages.ServiceNames>();

    async function find(services: readonly ServiceToName[]): Promise<void> {
      if (services.length === 0) return;
      const wanted = new Map(services.map((service) => [service.service_id, service]));
      const revision = await checked;
      for (const id of wanted.keys()) {
        const one = known.get(id);
        if (one && one.revision === revision) found.set(id, one.names);
      }
      const missing = [...wanted.values()].filter(({ service_id }) => !found.has(service_id));
      for (let from = 0; from < missing.length; from += namesPerRequest) {
        for (const names of await read(missing.slice(from, from + namesPerRequest))) {
          found.set(names.service_id, names);
          if (revision !== null) known.set(names.service_id, { revision, names });
        }
      }
    }

    // If it fails, the second call repeats it.
    const begun = find(likely).catch(() => undefined);
    return async (services) => {
      await begun;
      await find(services);
      return found;
    };
  };
}
