import { maxRemovedSboms, type Retention } from '@bomtrail/messages';
import type { Logger } from '@bomtrail/telemetry';
import { isDropped, retentionInForce } from '../domain/retention';
import type { ServiceDocument } from '../store/documents';
import type { RetentionStore } from '../store/retention-store';
import { deleteSboms, type DeleteSbomDeps } from './delete-sbom';

export interface ApplyRetentionDeps extends DeleteSbomDeps {
  retention: RetentionStore;
  /** Retention of projects without their own. */
  defaultRetention: Retention;
}

/** Bounds of one round. */
export interface RoundBounds {
  sboms: number;
  /** A round over its time ends after the current service. */
  withinMs: number;
  log: Logger;
}

export interface RetentionRound {
  /** Deleted SBOMs. */
  dropped: number;
  /** Services that failed; the next pass tries again. */
  failed: number;
  /** All services were processed: the next round begins a new pass. */
  complete: boolean;
}

const projectsPerRead = 100;
const servicesPerRead = 200;
/** SBOMs of a service per delete, which is re-evaluated once for all of them. */
const sbomsPerDelete = maxRemovedSboms;

/**
 * One round of retention: deletes SBOMs beyond the retention of their project, the oldest of a
 * service first, like any delete. It continues where the previous round stopped. A failing service
 * does not delay others.
 */
export async function applyRetention(
  deps: ApplyRetentionDeps,
  bounds: RoundBounds,
): Promise<RetentionRound> {
  const { retention, defaultRetention } = deps;
  const until = Date.now() + bounds.withinMs;
  const ownOnly = retentionInForce(null, defaultRetention) === null;
  const round: RetentionRound = { dropped: 0, failed: 0, complete: false };
  let pass = await retention.pass();
  for (;;) {
    const read = { ownOnly, limit: projectsPerRead };
    const projects = await retention.projectsFrom(pass.project_id, read);
    for (const project of projects) {
      const inForce = retentionInForce(project.retention, defaultRetention);
      let serviceId = project._id === pass.project_id ? pass.service_id : '';
      while (inForce) {
        const services = await retention.servicesAfter(project._id, serviceId, servicesPerRead);
        for (const service of services) {
          const requested = { retention: inForce, limit: bounds.sboms - round.dropped };
          const { dropped, more } = await applyToService(deps, service, requested).catch(
            (error: unknown) => {
              const reason = (error as Error).message;
              bounds.log.warn(
                { service: service._id, reason },
                'Applying retention to a service failed.',
              );
              round.failed++;
              return { dropped: 0, more: false };
            },
          );
          round.dropped += dropped;
          // The same service again if something is left.
          const done = { project_id: project._id, service_id: more ? serviceId : service._id };
          serviceId = done.service_id;
          if (more || round.dropped >= bounds.sboms || Date.now() >= until) {
            await retention.storePass(done);
            return round;
          }
        }
        if (services.length < servicesPerRead) break;
      }
    }
    const last = projects.at(-1);
    if (!last || projects.length < projectsPerRead) break;
    // Its services are processed: an id after all of them.
    pass = { project_id: last._id, service_id: '\uffff' };
    if (Date.now() < until) continue;
    await retention.storePass(pass);
    return round;
  }
  await retention.storePass(null);
  return { ...round, complete: true };
}

/** `more`: it stopped at the limit. */
async function applyToService(
  deps: ApplyRetentionDeps,
  service: ServiceDocument,
  requested: { retention: Retention; limit: number },
): Promise<{ dropped: number; more: boolean }> {
  const { retention, limit } = requested;
  const now = new Date();
  let dropped = 0;
  for (;;) {
    const limitNow = Math.min(sbomsPerDelete, limit - dropped);
    if (limitNow <= 0) return { dropped, more: true };
    // Read for each batch, because of concurrent uploads and deletes.
    const landmarks = await deps.retention.landmarks(service, retention.keep_last);
    if (!landmarks) return { dropped, more: false };
    const before = landmarks.oldestOfLast ?? landmarks.latest;
    // One of the oldest may be exempt, the newest scanned one.
    const oldest = await deps.retention.oldest(service._id, before, limitNow + 1);
    const going = oldest
      .filter((sbom) => isDropped(sbom, landmarks, { retention, now }))
      .slice(0, limitNow);
    if (going.length > 0) dropped += await deleteSboms(deps, service, going);
    // The remaining ones are too young, and all later ones are younger.
    if (going.length < limitNow) return { dropped, more: false };
  }
}
