import { maxRemovedSboms, type Retention } from '@bomtrail/messages';
import type { Logger } from '@bomtrail/service-kit';
import { isDropped, retentionInForce } from '../domain/retention';
import type { ServiceDocument } from '../store/documents';
import type { RetentionStore } from '../store/retention-store';
import { deleteSboms, type DeleteSbomDeps } from './delete-sbom';

export interface ApplyRetentionDeps extends DeleteSbomDeps {
  retention: RetentionStore;
  /** What holds for projects that say nothing. */
  defaultRetention: Retention;
}

/** What one round may do. */
export interface RoundBounds {
  sboms: number;
  /** A round that is over its time ends after the line at hand. */
  withinMs: number;
  log: Logger;
}

export interface RetentionRound {
  /** SBOMs that were deleted. */
  dropped: number;
  /** Lines that could not be looked at or changed; the next pass tries again. */
  failed: number;
  /** All lines were looked at: the next round begins a new pass. */
  complete: boolean;
}

const projectsPerRead = 100;
const servicesPerRead = 200;
/** SBOMs of a line that are deleted together, so that the line is brought up to date once for them. */
const sbomsPerDelete = maxRemovedSboms;

/**
 * One round of retention: deletes what its projects no longer keep, the oldest SBOMs of a line first, by
 * the way that every delete takes. It goes on where the round before stopped, and what it has done stays
 * done. A line that fails keeps no other one waiting.
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
          const asked = { retention: inForce, limit: bounds.sboms - round.dropped };
          const { dropped, more } = await applyToService(deps, service, asked).catch(
            (error: unknown) => {
              const reason = (error as Error).message;
              bounds.log.warn(
                { service: service._id, reason },
                'Retention could not be applied to a line.',
              );
              round.failed++;
              return { dropped: 0, more: false };
            },
          );
          round.dropped += dropped;
          // The line itself again, where something of it is left.
          const done = { project_id: project._id, service_id: more ? serviceId : service._id };
          serviceId = done.service_id;
          if (more || round.dropped >= bounds.sboms || Date.now() >= until) {
            await retention.keepPass(done);
            return round;
          }
        }
        if (services.length < servicesPerRead) break;
      }
    }
    const last = projects.at(-1);
    if (!last || projects.length < projectsPerRead) break;
    // Its lines are done: an id behind all of them.
    pass = { project_id: last._id, service_id: '\uffff' };
    if (Date.now() < until) continue;
    await retention.keepPass(pass);
    return round;
  }
  await retention.keepPass(null);
  return { ...round, complete: true };
}

/** `more`: the limit ended it. */
async function applyToService(
  deps: ApplyRetentionDeps,
  service: ServiceDocument,
  asked: { retention: Retention; limit: number },
): Promise<{ dropped: number; more: boolean }> {
  const { retention, limit } = asked;
  const now = new Date();
  let dropped = 0;
  for (;;) {
    const most = Math.min(sbomsPerDelete, limit - dropped);
    if (most <= 0) return { dropped, more: true };
    // Anew for each batch: others upload to the line and delete of it meanwhile.
    const landmarks = await deps.retention.landmarks(service, retention.keep_last);
    if (!landmarks) return { dropped, more: false };
    const before = landmarks.oldestOfLast ?? landmarks.latest;
    // Among the oldest there may be one that never goes, the newest that is scanned.
    const oldest = await deps.retention.oldest(service._id, before, most + 1);
    const going = oldest
      .filter((sbom) => isDropped(sbom, landmarks, { retention, now }))
      .slice(0, most);
    if (going.length > 0) dropped += await deleteSboms(deps, service, going);
    // What stays among the oldest is young, and what comes after it is younger.
    if (going.length < most) return { dropped, more: false };
  }
}
