import { AppError } from '@bomtrail/messages';
import type { MatchedComponent } from '../matching/domain/component';
import { isSameState } from '../feeds/domain/feed-state';
import { describeComponents } from './describe-components';
import { Report } from './findings-report';
import { knownRevision, maxRounds, readAt, type ReadSetDeps } from './set-at';

export interface FindingsPage {
  /** The revision that the findings are valid for. */
  revision: number;
  /** Cursor of the next page; null after the last one. */
  next: string | null;
  /** The findings changed since the first page: discard all pages and start again. */
  restart: boolean;
  /** `FindingsReport`, as `packJson` packs it. */
  report: Uint8Array;
}

/** Characters at which a page ends; a batch of components may exceed it. */
const pageText = 3 * 1024 * 1024;

/**
 * Returns a page of the findings of some packages in a component set. All pages have the same
 * revision.
 *
 * @param query `after`: `next` of the previous page
 * @throws AppError `sbom_not_found` when the set was not evaluated yet, `service_unavailable` when
 *   the advisories keep changing
 */
export async function readFindingsPage(
  deps: ReadSetDeps,
  query: { digest: string; packages: readonly string[]; after: string | null },
): Promise<FindingsPage> {
  const packages = new Set(query.packages);
  for (let round = 0; round < maxRounds; round += 1) {
    const state = await deps.feed.read();
    const set = await deps.sets.readSome(query.digest, mayBeOf(packages));
    if (!set) throw new AppError('sbom_not_found', 'This component set was not evaluated yet.');
    const at = readAt(set, state);
    const revision = knownRevision(set, at.revision, state);
    const edition = `${set.revision} ${at.revision} ${at.stamp}`;
    const [from, ofEdition] = parseCursor(query.after, edition);
    const report = new Report();
    if (ofEdition !== edition)
      return { revision, next: null, restart: true, report: await report.pack() };
    let end = set.matched.length;
    for await (const page of describeComponents(deps, set.matched.slice(from), {
      ...at,
      packages,
    })) {
      for (const one of page.found) report.add(one);
      end = from + page.upTo;
      if (report.characters > pageText) break;
    }
    if (!isSameState(await deps.feed.read(), state)) continue;
    const next = end < set.matched.length ? `${end} ${edition}` : null;
    return { revision, next, restart: false, report: await report.pack() };
  }
  throw new AppError('service_unavailable', 'The advisories keep changing: repeat the request.');
}

/** Parses a cursor into the index of the first component and the edition. */
function parseCursor(after: string | null, edition: string): [number, string] {
  if (after === null) return [0, edition];
  const space = after.indexOf(' ');
  return [Number(after.slice(0, space)), after.slice(space + 1)];
}

/** Tests whether the findings of a component belong to one of the packages; null: any package. */
export function mayBeOf(
  packages: ReadonlySet<string> | null,
): (component: MatchedComponent) => boolean {
  return ({ package_key }) => packages === null || packages.has(package_key);
}
