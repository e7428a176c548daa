import { maxTimelineIntervals } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/mongo';
import type { ClientSession } from 'mongodb';
import { allNames } from '../../tracking/domain/vulnerability-names';
import type { SbomVersion, TrackedVulnerability } from '../../tracking/domain/types';
import type { DetailsStore } from '../../tracking/ports';
import {
  allProjects,
  type AcceptanceDocument,
  type ServiceStateDocument,
  type TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { followMerges } from '../../tracking/store/follow-merges';
import { createVersionPoints } from './version-points';

/** A vulnerability with the facts of its timeline, from one snapshot. */
export interface StoredRecord {
  vulnerability: TrackedVulnerabilityDocument;
  /** The same as the rules read it. */
  tracked: TrackedVulnerability;
  state: ServiceStateDocument;
  /** The boundaries of the first presence interval and the last `maxTimelineIntervals`. */
  sbomVersions: SbomVersion[];
  /** Acceptances with a matching scope and alias, including expired ones. */
  acceptances: AcceptanceDocument[];
  /** The time of the database server, which decides on expiry. */
  now: Date;
}

export type RecordStore = ReturnType<typeof createRecordStore>;

/** Reads single vulnerabilities with their context, each from one snapshot. */
export function createRecordStore(
  database: Database,
  details: Pick<DetailsStore, 'toVulnerabilities'>,
) {
  const { db, client } = database;
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const states = db.collection<ServiceStateDocument>('service_states');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const points = createVersionPoints(db);

  async function sbomVersionsOf(
    vulnerability: TrackedVulnerabilityDocument,
    session: ClientSession,
  ): Promise<SbomVersion[]> {
    const { service_id } = vulnerability;
    const recent = vulnerability.presence.slice(-maxTimelineIntervals);
    const begins = [...vulnerability.presence.slice(0, 1), ...recent].map(({ from }) => ({
      service_id,
      seq: from,
    }));
    const ends = recent.flatMap(({ to }) => (to === null ? [] : [{ service_id, seq: to }]));
    const at = await points.at(begins, session);
    const after = await points.after(ends, session);
    return [...begins.flatMap((point) => at(point) ?? []), ...ends.flatMap((p) => after(p) ?? [])];
  }

  return {
    /**
     * The vulnerability with an id, following merges. Null if there is none, no SBOM contains it any more, or
     * its service was deleted.
     */
    read(id: string): Promise<StoredRecord | null> {
      return withSnapshot(client, async (session) => {
        const read = (ids: string[]) =>
          vulnerabilities.find({ _id: { $in: ids } }, { session }).toArray();
        const vulnerability = (await followMerges([id], read))(id);
        if (!vulnerability || vulnerability.presence.length === 0) return null;
        const { service_id, project_id } = vulnerability;
        const state = await states.findOne({ _id: service_id }, { session });
        if (!state || state.deletion_state) return null;
        const [tracked] = await details.toVulnerabilities([vulnerability], session);
        if (!tracked) return null;
        const found = await acceptances
          .aggregate<AcceptanceDocument & { now: Date }>(
            [
              {
                $match: {
                  project_id: { $in: [project_id, allProjects] },
                  services: { $in: [null, service_id] },
                  $or: [{ identity: { $in: allNames(tracked) } }, { rule: { $exists: true } }],
                  pending: { $ne: 'revert' },
                },
              },
              { $sort: { created_at: 1, _id: 1 } },
              { $set: { now: '$$NOW' } },
            ],
            { session },
          )
          .toArray();
        return {
          vulnerability,
          tracked,
          state,
          sbomVersions: await sbomVersionsOf(vulnerability, session),
          // A rule by owner may have thousands of services.
          acceptances: found.map((one) => (one.owned ? { ...one, services: [service_id] } : one)),
          now: found[0]?.now ?? new Date(),
        };
      });
    },
  };
}
