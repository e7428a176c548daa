import type { Collection } from 'mongodb';
import type { SbomDocument } from './documents';
import { notDeleted } from './scan-fields';

/** Finds SBOM records by component set. */
export function createSbomsByDigest(sboms: Collection<SbomDocument>) {
  return {
    /**
     * The newest SBOM with one of these component sets in every service that uses one, in pages of
     * up to `perPage`. `missed`: an SBOM was deleted meanwhile and is not returned.
     */
    async *newestPerService(
      digests: readonly string[],
      perPage: number,
    ): AsyncGenerator<{ records: SbomDocument[]; missed: boolean }> {
      const newest = sboms.aggregate<{ newest: { id: string } }>(
        [
          { $match: { digest: { $in: digests }, ...notDeleted } },
          { $group: { _id: '$service_id', newest: { $max: { seq: '$seq', id: '$_id' } } } },
        ],
        { allowDiskUse: true, batchSize: perPage },
      );
      let ids: string[] = [];
      const read = async () => {
        const records = await sboms.find({ _id: { $in: ids }, ...notDeleted }).toArray();
        return { records, missed: records.length < ids.length };
      };
      for await (const service of newest) {
        ids.push(service.newest.id);
        if (ids.length < perPage) continue;
        yield await read();
        ids = [];
      }
      if (ids.length > 0) yield await read();
    },
  };
}
