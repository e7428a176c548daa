import type { Schemas } from '../../api/client';

type Item = Pick<Schemas['TrackedVulnerability'], 'first_seen_at'>;

export interface Counted {
  count: number;
  /** The page of the list ended before the count did: there may be more. */
  atLeast: boolean;
}

/** How many were first seen since `since` (milliseconds), of a list with the newest first. */
export function newSince(items: readonly Item[], total: number, since: number): Counted {
  const count = items.filter(({ first_seen_at }) => Date.parse(first_seen_at) >= since).length;
  return { count, atLeast: count === items.length && total > items.length };
}

/** `200+` if there may be more. */
export function countText({ count, atLeast }: Counted): string {
  return atLeast ? `${count}+` : String(count);
}
