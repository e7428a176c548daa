import { isDeepStrictEqual } from 'node:util';
import type { Document } from 'mongodb';

/**
 * The update of a stored document that changes the fields in which another one differs, those of embedded documents by
 * themselves. MongoDB then leaves indexes alone of which no field is named; after a replacement it computes the entries of
 * all.
 *
 * @param before as it was read; a repair replaces instead
 * @returns null if the documents are equal
 */
export function updateOf(before: Document, after: Document): Document | null {
  const $set: Document = {};
  const $unset: Document = {};
  for (const [path, value] of differences(before, after, '')) {
    if (value === undefined) $unset[path] = true;
    else $set[path] = value;
  }
  const update = {
    ...(Object.keys($set).length > 0 && { $set }),
    ...(Object.keys($unset).length > 0 && { $unset }),
  };
  return Object.keys(update).length > 0 ? update : null;
}

/** The paths of fields that differ, with their new values. */
function differences(before: Document, after: Document, prefix: string): [string, unknown][] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name): [string, unknown][] => {
    const [from, to]: unknown[] = [before[name], after[name]];
    if (isDeepStrictEqual(from, to)) return [];
    const path = `${prefix}${name}`;
    return isEmbedded(from) && isEmbedded(to) ? differences(from, to, `${path}.`) : [[path, to]];
  });
}

function isEmbedded(value: unknown): value is Document {
  return Object.prototype.toString.call(value) === '[object Object]';
}
