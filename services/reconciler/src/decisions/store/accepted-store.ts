import type { Db } from 'mongodb';
import { followMerges } from '../../tracking/store/follow-merges';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';

/** What is accepted, as lists name it. */
export type AcceptedVulnerability = Pick<DetailsDocument, 'cve_id' | 'package_name'>;

export type AcceptedStore = ReturnType<typeof createAcceptedStore>;

/** Reads what acceptances accept. */
export function createAcceptedStore(db: Db) {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');
  type Found = Pick<TrackedVulnerabilityDocument, '_id' | 'details_id' | 'merged_into'>;

  const read = (ids: string[]): Promise<Found[]> =>
    vulnerabilities
      .find({ _id: { $in: ids } })
      .project<Found>({ details_id: 1, merged_into: 1 })
      .toArray();

  return {
    /** Vulnerabilities by any id that they had; without those that no SBOM contains. */
    async byIds(ids: readonly string[]): Promise<Map<string, AcceptedVulnerability>> {
      const endOf = await followMerges(ids, read);
      const detailsOf = new Map(ids.map((id) => [id, endOf(id)?.details_id ?? '']));
      const found = await details
        .find({ _id: { $in: [...new Set(detailsOf.values())] } })
        .project<AcceptedVulnerability & { _id: string }>({ cve_id: 1, package_name: 1 })
        .toArray();
      const byDetails = new Map(found.map(({ _id, ...one }) => [_id, one]));
      return new Map(
        [...detailsOf].flatMap(([id, detailsId]) => {
          const one = byDetails.get(detailsId);
          return one ? [[id, one] as const] : [];
        }),
      );
    },
  };
}
