import type { Db, Filter, FindOptions } from 'mongodb';
import type { TrackedVulnerabilityDocument } from './documents';
import { byService, type IndexKey } from './list-indexes';

/** What the order of vulnerabilities by service follows from. */
type Ordered = Pick<TrackedVulnerabilityDocument, '_id' | 'service_id' | 'package_key'>;

/** The first vulnerabilities of a filter. */
export interface OrderedPart<Read> {
  found: Read[];
  /** Where the part ends; null: nothing follows. */
  end: Read | null;
}

/**
 * Creates a reader of vulnerabilities in the order of services, packages and ids. The index by service does not
 * contain the ids: if the end of a part divides a package, those of this package are read again, by id.
 */
export function createOrderedReader(db: Db) {
  const vulnerabilities = db.collection<TrackedVulnerabilityDocument>('tracked_vulnerabilities');

  /**
   * Reads the first `limit` vulnerabilities that a filter selects; fewer if some were removed meanwhile.
   *
   * @param options a projection must include the service and the package
   */
  return async function readInOrder<Read extends Ordered>(
    where: Filter<TrackedVulnerabilityDocument>,
    limit: number,
    options: FindOptions & { hint: IndexKey },
  ): Promise<OrderedPart<Read>> {
    const first = await vulnerabilities
      .find<Read>(where, options)
      .sort(byService)
      .limit(limit + 1)
      .toArray();
    const found = first.slice(0, limit).sort(compare);
    const next = first[limit];
    if (!next) return { found, end: null };
    const whole = found.filter((one) => !isSamePackage(one, next));
    if (whole.length < limit) {
      const { service_id, package_key } = next;
      const divided = vulnerabilities
        .find<Read>({ $and: [where, { service_id, package_key }] }, { ...options, hint: byService })
        .sort({ _id: 1 })
        .limit(limit - whole.length);
      whole.push(...(await divided.toArray()));
    }
    return { found: whole, end: whole.at(-1) ?? next };
  };
}

function isSamePackage(a: Ordered, b: Ordered): boolean {
  return a.service_id === b.service_id && a.package_key === b.package_key;
}

function compare(a: Ordered, b: Ordered): number {
  return (
    compareText(a.service_id, b.service_id) ||
    compareText(a.package_key, b.package_key) ||
    compareText(a._id, b._id)
  );
}

/** As MongoDB compares: by bytes. */
function compareText(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
}
