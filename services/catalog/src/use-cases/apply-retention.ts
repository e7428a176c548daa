import { maxRemovedSboms, type Retention } from '@bomtrail/messages';
import type { Logger } from '@bomtrail/telemetry';
import { isExpired, retentionInForce } from '../domain/retention';
import type { ServiceDocument } from '../store/documents';
import type { RetentionStore } from '../store/retention-store';
import { expireSbomsOf, type ExpireSbomsDeps } from './expire-sboms';

export interface ApplyRetentionDeps extends ExpireSbomsDeps {
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
  /** Expired SBOMs. */
  expired: number;
  /** Services that failed; the next pass tries again. */
  failed: number;
  /** All services were processed: the next round begins a new pass. */
  complete: boolean;
}

const projectsPerRead = 100;
const servicesPerRead = 200;
/** SBOMs that the rules exempt (K4, K5). */
const mostExempt = 2;
/** SBOMs of a service per request. */
const sbomsPerRequest = maxRemovedSboms;

/**
 * One round of retention: expires SBOMs beyond the retention of their project, the oldest of a
 * service first. It continues where the previous round stopped. A failing service
 * does not delay others.
 */
export async function applyRetention(
  deps: ApplyRetentionDeps,
  bounds: RoundBounds,
): Promise<RetentionRound> {
  const { retention, defaultRetention } = deps;
  const until = Date.now() + bounds.withinMs;
  const ownOnly = retentionInForce(null, defaultRetention) === null;
  const round: RetentionRound = { expired: 0, failed: 0, complete: false };
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
          const requested = { retention: inForce, limit: bounds.sboms - round.expired };
          const { expired, more } = await applyToService(deps, service, requested).catch(
            (error: unknown) => {
              const reason = (error as Error).message;
              bounds.log.warn(
                { service: service._id, reason },
                'Applying retention to a service failed.',
              );
              round.failed++;
              return { expired: 0, more: false };
            },
          );
          round.expired += expired;
          // The same service again if something is left.
          const done = { project_id: project._id, service_id: more ? serviceId : service._id };
          serviceId = done.service_id;
          if (more || round.expired >= bounds.sboms || Date.now() >= until) {
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
): Promise<{ expired: number; more: boolean }> {
  const { retention, limit } = requested;
  const now = new Date();
  let expired = 0;
  for (;;) {
    const limitNow = Math.min(sbomsPerRequest, limit - expired);
    if (limitNow <= 0) return { expired, more: true };
    // Read for each batch, because of concurrent uploads and deletes.
    const landmarks = await deps.retention.landmarks(service, retention.keep_last);
    if (!landmarks) break;
    const before = landmarks.oldestOfLast ?? landmarks.latest;
    // Some of the oldest may be exempt: the newest scanned one, and the newest that passed a gate.
    const oldest = await deps.retention.oldest(service, before, limitNow + mostExempt);
    const going = oldest
      .filter((sbom) => isExpired(sbom, landmarks, { retention, now }))
      .slice(0, limitNow);
    if (going.length > 0) expired += await expireSbomsOf(deps, service, going);
    // The remaining ones are too young, and all later ones are younger.
    if (going.length < limitNow) break;
  }
  if (expired > 0) await deps.retention.skipExpired(service);
  return { expired, more: false };
}
