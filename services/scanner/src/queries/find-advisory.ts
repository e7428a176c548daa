import type { AdvisoryData } from '@bomtrail/messages';
import type { AdvisoryStore } from '../feeds/store/advisory-store';
import type { FeedStateStore } from '../feeds/store/feed-state-store';
import { spellingsOf } from './domain/advisory-id';

export interface FindAdvisoryDeps {
  feed: FeedStateStore;
  advisories: AdvisoryStore;
}

/** Looks up an advisory id or alias, ignoring case. */
export async function findAdvisory(
  deps: FindAdvisoryDeps,
  id: string,
): Promise<{ known: boolean; ids: string[]; withdrawn: boolean; advisory_data: AdvisoryData }> {
  const [group, { data }] = await Promise.all([
    deps.advisories.findGroupOf(spellingsOf(id)),
    deps.feed.read(),
  ]);
  const ids = new Set(group.flatMap(({ id: one, aliases }) => [one, ...aliases]));
  return {
    known: group.length > 0,
    ids: [...ids].sort(byKind),
    withdrawn: group.length > 0 && group.every(({ withdrawn }) => withdrawn),
    advisory_data: data,
  };
}

/** CVE first, then GHSA, then the others, each as text. */
function byKind(a: string, b: string): number {
  const kind = (id: string): number => (/^CVE-/i.test(id) ? 0 : /^GHSA-/i.test(id) ? 1 : 2);
  return kind(a) - kind(b) || (a < b ? -1 : Number(a > b));
}
