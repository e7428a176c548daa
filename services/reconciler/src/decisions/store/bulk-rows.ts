import type { Db } from 'mongodb';
import { inUpperCase } from '../../tracking/domain/current-aliases';
import type { DetailsDocument, TrackedVulnerabilityDocument } from '../../tracking/store/documents';
import type { BulkRow, BulkStore } from '../ports';

type Row = Pick<
  TrackedVulnerabilityDocument,
  '_id' | 'service_id' | 'project_id' | 'package_key' | 'details_id' | 'identity' | 'merged_into'
>;

/** Reads what a bulk decision is about: vulnerabilities by id, with all their aliases. */
export function createBulkRows(db: Db): BulkStore['rows'] {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');
  const details = db.collection<DetailsDocument>('vulnerability_details');

  /** Vulnerabilities that an SBOM contains, along merges. */
  async function existing(projectId: string, ids: readonly string[]): Promise<Row[]> {
    const found: Row[] = [];
    for (let wanted = [...new Set(ids)]; wanted.length > 0;) {
      const read = await vulnerabilities
        .find({ _id: { $in: wanted }, project_id: projectId })
        .project<Row>({
          service_id: 1,
          project_id: 1,
          package_key: 1,
          details_id: 1,
          identity: 1,
          merged_into: 1,
        })
        .toArray();
      found.push(...read.filter(({ details_id }) => details_id !== undefined));
      wanted = read.flatMap(({ merged_into }) => merged_into ?? []);
    }
    return [...new Map(found.map((row) => [row._id, row])).values()];
  }

  return async function rows(projectId, ids) {
    const found = await existing(projectId, ids);
    const named = new Set(found.flatMap(({ details_id }) => details_id ?? []));
    const read = await details
      .find({ _id: { $in: [...named] } })
      .project<Pick<DetailsDocument, '_id' | 'aliases'>>({ aliases: 1 })
      .toArray();
    const aliases = new Map(read.map((one) => [one._id, inUpperCase(one.aliases)]));
    return found.map(
      ({ _id, service_id, project_id, package_key, details_id, identity }): BulkRow => {
        const current = aliases.get(details_id ?? '') ?? identity;
        return { id: _id, service_id, project_id, package_key, identity: current };
      },
    );
  };
}
