import type { ListCursor } from '@bomtrail/messages';

/** A part of a list: a window of it, or the items after a position. */
export interface Part {
  skip: number;
  limit: number;
  after?: ListCursor | null | undefined;
}

/** The condition on items after a position of a list that is newest first, ties by id. */
export function newestAfter(after: ListCursor | null | undefined): object {
  if (!after) return {};
  const at = new Date(after.at);
  return {
    created_at: { $lte: at },
    $or: [{ created_at: { $lt: at } }, { _id: { $gt: after.id } }],
  };
}

/** The position after a part; null if it is the last one. */
export function positionAfter(
  items: readonly { _id: string; created_at: Date }[],
  { limit }: Part,
): ListCursor | null {
  const last = items.length === limit ? items.at(-1) : undefined;
  return last ? { at: last.created_at.toISOString(), id: last._id } : null;
}
