import { maxTimelineIntervals } from '@bomtrail/messages';
import { withSnapshot, type Database } from '@bomtrail/service-kit';
import type { ClientSession } from 'mongodb';
import type { SbomVersion } from '../domain/types';
import type {
  AcceptanceDocument,
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from './documents';
import { createVersionPoints } from './version-points';

/** A row with everything that its timeline follows from, as it was at one moment. */
export interface StoredRecord {
  vulnerability: TrackedVulnerabilityDocument;
  state: ServiceStateDocument;
  /** Where its last `maxTimelineIntervals` runs, and the first one, begin and end. */
  sbomVersions: SbomVersion[];
  /** In whose scope the row is and whose aliases it has, also those that have expired. */
  acceptances: AcceptanceDocument[];
  /** The time of the database's server, by which acceptances expire. */
  now: Date;
}

export type RecordStore = ReturnType<typeof createRecordStore>;

/** Reads single rows with their surroundings as they are at one moment, so that they fit each other. */
export function createRecordStore(database: Database) {
  const { db, client } = database;
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const states = db.collection<ServiceStateDocument>('service_states');
  const acceptances = db.collection<AcceptanceDocument>('acceptances');
  const points = createVersionPoints(db);

  async function existingVulnerability(
    id: string,
    session: ClientSession,
  ): Promise<TrackedVulnerabilityDocument | null> {
    const vulnerability = await vulnerabilities.findOne({ _id: id }, { session });
    return vulnerability?.merged_into
      ? existingVulnerability(vulnerability.merged_into, session)
      : vulnerability;
  }

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
    /** The row that stands for an id. Null: there is none, no SBOM holds it any more, or its line was deleted. */
    read(id: string): Promise<StoredRecord | null> {
      return withSnapshot(client, async (session) => {
        const vulnerability = await existingVulnerability(id, session);
        if (!vulnerability || vulnerability.presence.length === 0) return null;
        const { service_id, project_id, alias_keys } = vulnerability;
        const state = await states.findOne({ _id: service_id }, { session });
        if (!state || state.deletion_state) return null;
        const found = await acceptances
          .aggregate<AcceptanceDocument & { now: Date }>(
            [
              {
                $match: {
                  project_id,
                  service_id: { $in: [null, service_id] },
                  identity: { $in: alias_keys },
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
          state,
          sbomVersions: await sbomVersionsOf(vulnerability, session),
          acceptances: found,
          now: found[0]?.now ?? new Date(),
        };
      });
    },
  };
}
