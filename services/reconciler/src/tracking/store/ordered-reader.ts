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
 * contain the ids: those of the package in which a part ends are read once more, sorted.
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
      .limit(limit)
      .toArray();
    const cut = first.length === limit ? first.at(-1) : undefined;
    if (!cut) return { found: first.sort(compare), end: null };
    const { service_id, package_key } = cut;
    const whole = first.filter((one) => !isSamePackage(one, cut));
    const ofCut = await vulnerabilities
      .find<Read>({ $and: [where, { service_id, package_key }] }, { ...options, hint: byService })
      .sort({ _id: 1 })
      .limit(limit - whole.length)
      .toArray();
    return { found: [...whole.sort(compare), ...ofCut], end: ofCut.at(-1) ?? cut };
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
