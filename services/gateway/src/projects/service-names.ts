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
 * `nameServices()(services)`: the first call, made before the services are known, starts to read the revision; the second
 * returns the names by service id, each as it was after the first call. Services that do not exist are omitted.
 *
 * @throws AppError `service_unavailable`
 */
export type NameServices = () => (
  services: readonly ServiceToName[],
) => Promise<Map<string, messages.ServiceNames>>;

export interface NamingDeps {
  request: Request;
  nameServices: NameServices;
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

  return () => {
    const checked = request(messages.readNamesRevision, {}).then(
      ({ body }) => body.revision,
      // Without a catalog, in time or of this release: the names themselves are then requested.
      () => null,
    );
    return async (services) => {
      if (services.length === 0) return new Map();
      const wanted = new Map(services.map((service) => [service.service_id, service]));
      const revision = await checked;
      const found = new Map<string, messages.ServiceNames>();
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
      return found;
    };
  };
}
