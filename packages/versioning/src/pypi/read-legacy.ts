/**
 * A PyPI version from before PEP 440 ("legacy"), as the pieces by which it is ordered: compared as
 * texts from the left, a prefix before what extends it.
 */
export type LegacyPieces = readonly string[];

/** Digits and letters with one separator between: what PyPI ever published looks like this. */
const SHAPE = /^[0-9][0-9a-z]*(?:[-_.+:~][0-9a-z]+)*$/;
/** `1.x`, `2.0.X`: a range, no version. */
const WILDCARD = /(?:^|[-_.+])x(?:$|[-_.+])/;
/** Stands in no order; abbreviated ones too. */
const COMMIT_ID = /^(?=.*[a-f])[0-9a-f]{7,64}$/;
const PIECE = /([0-9]+|[a-z]+|\.|-)/;
const SPELLINGS: Readonly<Record<string, string>> = {
  pre: 'c',
  preview: 'c',
  '-': 'final-',
  rc: 'c',
  dev: '@',
};
const NUMBER_WIDTH = 8;
const END = '*final';
const HYPHEN = '*final-';
const ZERO = '0'.repeat(NUMBER_WIDTH);

/**
 * Reads a legacy version by the order of `LegacyVersion` (setuptools' `parse_version`, `packaging`
 * before 22): numbers as texts of eight digits, words after `*`, so that `alpha` < `beta` < `c` < the
 * end < `r`, zeros before a word left out. Numbers of more than eight digits keep their place as
 * texts, as there.
 *
 * Null for what is no version at all: words (`unknown`, `trunk`), commit ids, wildcards, ranges. The
 * caller has tried PEP 440 before.
 */
export function readLegacy(text: string): LegacyPieces | null {
  if (!SHAPE.test(text) || WILDCARD.test(text) || COMMIT_ID.test(text)) return null;
  const pieces: string[] = [];
  for (const piece of text.split(PIECE)) {
    const spelling = Object.hasOwn(SPELLINGS, piece) ? (SPELLINGS[piece] ?? piece) : piece;
    if (spelling === '' || spelling === '.') continue;
    if (/^[0-9]/.test(spelling)) pieces.push(spelling.padStart(NUMBER_WIDTH, '0'));
    else pushWord(pieces, `*${spelling}`);
  }
  pushWord(pieces, END);
  return pieces;
}

/** A hyphen before a prerelease says nothing, and neither do zeros before a word. */
function pushWord(pieces: string[], word: string): void {
  if (word < END) dropAtEnd(pieces, HYPHEN);
  dropAtEnd(pieces, ZERO);
  pieces.push(word);
}

function dropAtEnd(pieces: string[], unwanted: string): void {
  while (pieces.at(-1) === unwanted) pieces.pop();
}
