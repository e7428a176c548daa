import { maxRescannedSboms, rescanRequested, type RequestedRescan } from '@bomtrail/messages';
import type { Publish } from '@bomtrail/messaging';
import { firstRescanRetry } from '../domain/retry-schedule';
import type { SbomDocument } from '../store/documents';
import type { ServiceStore } from '../store/service-store';
import type { SbomStore } from '../store/sbom-store';
import { ofExistingServices } from './existing-services';
import { sbomIdentity } from './views';

const servicesPerBatch = 500;

/**
 * Requests a re-scan of each service that has a component set whose findings an advisory change affected: of its newest
 * SBOM with one of these sets; its older SBOMs follow. The request is stored with the SBOM first: if its message is lost,
 * it is sent again.
 *
 * @returns the number of services
 */
export async function requestRescans(
  deps: { sboms: SbomStore; services: ServiceStore; publish: Publish },
  change: {
    digests: readonly string[];
    revision: number;
    changed_at: string | null;
    packages: readonly string[] | null;
  },
): Promise<number> {
  const { digests, revision, packages } = change;
  const changed_at = change.changed_at === null ? null : new Date(change.changed_at);
  let services = 0;
  let again = false;
  for await (const { records, missed } of deps.sboms.newestPerService(digests, servicesPerBatch)) {
    const existing = await ofExistingServices(deps, records);
    services += existing.length;
    const retry_at = firstRescanRetry(new Date(), services);
    const pending = { revision, changed_at, packages, retry_at };
    const marked = await deps.sboms.markRescans(existing, pending);
    // In the place of an SBOM that was deleted meanwhile comes its predecessor.
    if (missed || marked.length < existing.length) again = true;
    await Promise.all(inMessages(marked).map((some) => deps.publish(rescanRequested, some)));
  }
  return again ? requestRescans(deps, change) : services;
}

/** SBOMs with the same request share a message. */
function inMessages(marked: readonly SbomDocument[]): RequestedRescan[] {
  const open = new Map<string, RequestedRescan>();
  const messages: RequestedRescan[] = [];
  for (const sbom of marked) {
    const { revision = 0, packages = null, changed_at } = sbom.rescan ?? {};
    const pending = {
      revision,
      packages,
      ...(changed_at ? { changed_at: changed_at.toISOString() } : {}),
    };
    const key = JSON.stringify(pending);
    let message = open.get(key);
    if (!message || message.sboms.length === maxRescannedSboms) {
      message = { ...pending, sboms: [] };
      open.set(key, message);
      messages.push(message);
    }
    message.sboms.push(sbomIdentity(sbom));
  }
  return messages;
}
