import { BenchFailure } from '../bench-failure';
import { queriedSeverities, type ListQuery, type ListSort } from './list-queries';

/** The fields of a listed vulnerability that are looked at. */
export interface ListedItem {
  id: string;
  cve_id: string;
  severity: keyof typeof ranks;
  cvss_score: number | null;
  package_name: string;
  first_seen_at: string;
  published_at: string | null;
  project_id: string;
  project_name: string;
  service_name: string | null;
  title: string;
}

export interface ListedPage {
  items: ListedItem[];
  total: number;
}

/** Default items of a page. */
const perPage = 50;
const ranks = { critical: 5, high: 4, medium: 3, low: 2, none: 1, unknown: null };
/** Of a severity without a score: the lower bound of its band. */
const floors = { critical: 9, high: 7, medium: 4, low: 0.1, none: 0, unknown: null };

const valueOf: Record<ListSort, (item: ListedItem) => string | number | null> = {
  cvss_score: ({ cvss_score, severity }) => cvss_score ?? floors[severity],
  severity: ({ severity }) => ranks[severity],
  cve_id: ({ cve_id }) => cve_id,
  package_name: ({ package_name }) => package_name.toLowerCase(),
  first_seen_at: ({ first_seen_at }) => first_seen_at,
  published_at: ({ published_at }) => published_at,
  epss_score: () => null,
};

/**
 * Is this the first page that the question asks for? Its length, the total, the filter, the order, that no item is
 * there twice, and that each has its texts and names. Fails with a `BenchFailure` where it is not.
 *
 * @param expected how many rows the filter has, and the project that is asked for
 */
export function checkPage(
  page: ListedPage,
  query: ListQuery,
  expected: { total: number; projectId: string },
): void {
  const fail = (what: string): never => {
    throw new BenchFailure(`wrong result: ${query.path}: ${what}`);
  };
  const { items, total } = page;
  if (total !== expected.total) fail(`the total is ${total}, there are ${expected.total} rows`);
  const length = Math.min(perPage, total);
  if (items.length !== length) fail(`${items.length} items, not ${length}`);
  if (new Set(items.map(({ id }) => id)).size < items.length) fail('an item is there twice');
  for (const [index, item] of items.entries()) {
    if (!item.title || !item.project_name || !item.service_name) {
      fail(`${item.id} has no title, project or service`);
    }
    if (!isChosen(item, query, expected.projectId)) fail(`${item.id} was not asked for`);
    const next = items[index + 1];
    if (next && !isBefore(item, next, query)) fail(`${item.id} stands before ${next.id}`);
  }
}

function isChosen(item: ListedItem, { scope }: ListQuery, projectId: string): boolean {
  if (scope === 'project') return item.project_id === projectId;
  return scope === 'everything' || queriedSeverities.some((asked) => asked === item.severity);
}

/** What misses the value is last in either order; ties may have any fixed order (VU7). */
function isBefore(a: ListedItem, b: ListedItem, { sort, order }: ListQuery): boolean {
  const [first, second] = [valueOf[sort](a), valueOf[sort](b)];
  if (first === second) return true;
  if (first === null || second === null) return second === null;
  return order === 'asc' ? first < second : first > second;
}
