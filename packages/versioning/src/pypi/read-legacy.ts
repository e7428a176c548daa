/**
 * A PyPI version from before PEP 440 ("legacy"), as the parts by which it is ordered: compared as
 * texts, a prefix before longer ones.
 */
export type LegacyPieces = readonly string[];

/** Digits and letters with single separators, as in all versions published on PyPI. */
const SHAPE = /^[0-9][0-9a-z]*(?:[-_.+:~][0-9a-z]+)*$/;
/** `1.x`, `2.0.X`: a range. */
const WILDCARD = /(?:^|[-_.+])x(?:$|[-_.+])/;
/** Commit ids, also abbreviated, have no order. */
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
 * Parses a legacy version by the order of `LegacyVersion` (setuptools' `parse_version`, `packaging`
 * before 22): numbers as texts of eight digits, words after `*`, so that `alpha` < `beta` < `c` <
 * the end < `r`, without zeros before a word. Numbers of more than eight digits are compared as
 * texts.
 *
 * Null for other texts: words (`unknown`, `trunk`), commit ids, wildcards, ranges. Call it only for
 * versions that PEP 440 does not allow.
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

/** A hyphen before a prerelease and zeros before a word are ignored. */
function pushWord(pieces: string[], word: string): void {
  if (word < END) dropAtEnd(pieces, HYPHEN);
  dropAtEnd(pieces, ZERO);
  pieces.push(word);
}

function dropAtEnd(pieces: string[], unwanted: string): void {
  while (pieces.at(-1) === unwanted) pieces.pop();
}
