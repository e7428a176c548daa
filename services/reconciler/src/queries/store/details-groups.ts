import type { Grouping } from '@bomtrail/messages';
import { byRisk, figuresOf, type GroupFigures } from '../domain/group-vulnerabilities';
import { countedOf, type GroupDetails } from './group-details';
import type { Window } from './list-plan';
import { grouped } from '../../tracking/domain/grouped';

/** A group of details, with its most risky ones. */
export interface DetailsGroup extends GroupFigures {
  key: string;
  first: GroupDetails;
}

/** Groups details by their vulnerability or package. */
export function groupDetails(
  members: readonly GroupDetails[],
  group_by: Grouping,
): Map<string, GroupDetails[]> {
  return grouped(members, (one) =>
    group_by === 'package' ? `${one.package_name}\n${one.ecosystem}` : one.cve_id,
  );
}

/**
 * The groups of a page. The order begins with the risk (VU12), which follows from the details: only groups whose
 * risk occurs on the page are counted.
 *
 * @param options `countOf`: the vulnerabilities of at least these details
 */
export async function firstGroups(
  groups: ReadonlyMap<string, GroupDetails[]>,
  {
    window: { skip, limit },
    countOf,
  }: {
    window: Window;
    countOf: (members: GroupDetails[]) => Promise<ReadonlyMap<string, number>>;
  },
): Promise<DetailsGroup[]> {
  const ranked = [...groups].map(([key, members]) => {
    const first = members.reduce(riskier);
    return { key, members, first, risk: riskOf(first) };
  });
  ranked.sort((a, b) => b.risk - a.risk);
  const page = ranked.slice(skip, skip + limit);
  const [highest, lowest] = [page[0]?.risk, page.at(-1)?.risk];
  if (highest === undefined || lowest === undefined) return [];
  const candidates = ranked.filter(({ risk }) => risk <= highest && risk >= lowest);
  const before = ranked.findIndex(({ risk }) => risk <= highest);
  const counts = await countOf(candidates.flatMap(({ members }) => members));
  const counted = candidates.map(({ key, members, first }): DetailsGroup => {
    const parts = members.map((one) => countedOf(one, counts.get(one._id) ?? 0));
    return { ...figuresOf(parts), key, first };
  });
  return counted.sort(byRisk).slice(skip - before, skip - before + limit);
}

function riskOf({ risk }: GroupDetails): number {
  return risk ?? -1;
}

function riskier(a: GroupDetails, b: GroupDetails): GroupDetails {
  const difference = riskOf(b) - riskOf(a);
  if (difference !== 0) return difference > 0 ? b : a;
  return b._id < a._id ? b : a;
}
