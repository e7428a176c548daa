/**
 * Characters that references and prefixes may add to a document. A few bytes can repeat a long text
 * for every package, so the size of the file bounds nothing here; real documents stay below 16 Mi.
 */
export const MAX_EXPANDED_LETTERS = 128 * 1024 * 1024;

/** The references of a document expand to more than is read. */
export class ExpansionLimitError extends Error {
  override readonly name = 'ExpansionLimitError';
}

/** What references have added so far. */
export interface Expansion {
  /** @throws ExpansionLimitError beyond `MAX_EXPANDED_LETTERS` */
  add(letters: number): void;
}

export function startExpansion(limit = MAX_EXPANDED_LETTERS): Expansion {
  let left = limit;
  return {
    add(letters) {
      left -= letters;
      if (left < 0) throw new ExpansionLimitError('the references expand to too much text');
    },
  };
}
