import {
  severities,
  type countSboms,
  type RequestOf,
  type SeverityCounts,
} from '@bomtrail/messages';
import type { Database } from '@bomtrail/mongo';
import type {
  ServiceStateDocument,
  TrackedVulnerabilityDocument,
} from '../../tracking/store/documents';
import { byService } from '../../tracking/store/list-indexes';
import { noCounts } from '../domain/group-vulnerabilities';
import { includesSeq } from '../../tracking/domain/presence';
import { grouped } from '../../tracking/domain/grouped';

type Presence = Pick<TrackedVulnerabilityDocument, 'service_id' | 'presence' | 'severity'>;

/** Vulnerabilities read to count those of a page of SBOMs. */
const mostRead = 200_000;

export type ScopeCounts = ReturnType<typeof createScopeCounts>;

/** Counts by severity of services and SBOMs. */
export function createScopeCounts({ db }: Database) {
  const states = db.collection<ServiceStateDocument>('service_states');
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  return {
    /** The open vulnerabilities of services, from their counters. */
    async ofServices(
      serviceIds: readonly string[],
    ): Promise<{ service_id: string; counts: SeverityCounts }[]> {
      const found = await states
        .find({ _id: { $in: [...serviceIds] }, deletion_state: { $exists: false } })
        .project<Pick<ServiceStateDocument, '_id' | 'counts'>>({ counts: 1 })
        .toArray();
      return found.map(({ _id, counts = {} }) => {
        const open = severities.map((severity) => [severity, counts[severity] ?? 0] as const);
        return { service_id: _id, counts: Object.fromEntries(open) as SeverityCounts };
      });
    },

    /**
     * The vulnerabilities that SBOMs contain, by the presence intervals of their services. Services beyond
     * `mostRead` vulnerabilities are left out.
     */
    async ofSboms(
      sboms: RequestOf<typeof countSboms>['sboms'],
    ): Promise<{ sbom_id: string; counts: SeverityCounts }[]> {
      const counted = sboms.map((sbom) => ({ ...sbom, counts: noCounts() }));
      const byId = grouped(counted, ({ service_id }) => service_id);
      const found = vulnerabilities
        .find({ service_id: { $in: [...byId.keys()] } }, { hint: byService, batchSize: 10_000 })
        .sort(byService)
        .project<Presence>({ _id: 0, service_id: 1, presence: 1, severity: 1 });
      let read = 0;
      for await (const { service_id, presence, severity } of found) {
        read += 1;
        if (read > mostRead) {
          await found.close();
          return counted.filter((sbom) => sbom.service_id < service_id).map(shown);
        }
        for (const { seq, counts } of byId.get(service_id) ?? [])
          if (severity && presence.some((interval) => includesSeq(interval, seq)))
            counts[severity] += 1;
      }
      return counted.map(shown);
    },
  };
}

function shown({ sbom_id, counts }: { sbom_id: string; counts: SeverityCounts }) {
  return { sbom_id, counts };
}
