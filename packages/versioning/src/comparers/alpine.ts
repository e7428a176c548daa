import { type Numeral, type Ordering, comparing, order, readNumeral } from '../ordering';

interface AlpineVersion {
  numbers: Numeral[];
  /** The numbers as they are written: after the first one a leading zero makes it a text. */
  texts: string[];
  letter: string;
  /** Digits straight after the letter, as in `6.6.2p1`; 0 without. */
  letterNumber: Numeral;
  suffixes: Suffix[];
  revision: Numeral;
}

interface Suffix {
  rank: number;
  value: Numeral;
}

/** Below `NONE` they make a prerelease. */
const RANKS: Readonly<Record<string, number>> = {
  alpha: 0,
  beta: 1,
  pre: 2,
  rc: 3,
  cvs: 5,
  svn: 6,
  git: 7,
  hg: 8,
  p: 9,
};
const NONE: Suffix = { rank: 4, value: 0 };

/** number{.number}{letter{number}}{_suffix{number}}{~hash}{-r{number}}: see `compareAlpine`. */
const VERSION =
  /^([0-9]+(?:\.[0-9]+)*)(?:([a-z])([0-9]*))?((?:_(?:alpha|beta|pre|rc|cvs|svn|git|hg|p)[0-9]*)*)(?:~[0-9a-f]+)?(?:-r([0-9]*))?$/;
const SUFFIX = /_([a-z]+)([0-9]*)/g;

/**
 * Alpine and all that build with apk (Wolfi, Chainguard, MinimOS, CleanStart, BellSoft): apk-package(5), "Package versions": numbers, letter, suffixes
 * (`_alpha` < `_beta` < `_pre` < `_rc` < none < `_cvs` < `_svn` < `_git` < `_hg` < `_p`), revision
 * (a missing one counts as `-r0`). A commit hash after `~` is ignored. A number with a leading zero,
 * other than the first, is compared as text. What breaks that grammar is unreadable: releases of
 * apk differ in how they order it.
 */
export const compareAlpine = comparing(parseAlpine, orderAlpine);

function parseAlpine(text: string): AlpineVersion | null {
  const match = VERSION.exec(text.trim());
  if (match === null) return null;
  const [, dotted = '', letter = '', letterDigits = '', suffixText = '', revision] = match;
  const texts = dotted.split('.');
  const suffixes: Suffix[] = [];
  for (const [, word = '', digits = ''] of suffixText.matchAll(SUFFIX)) {
    suffixes.push({ rank: RANKS[word] ?? NONE.rank, value: readNumeral(digits || '0') });
  }
  return {
    numbers: texts.map(readNumeral),
    texts,
    letter,
    letterNumber: readNumeral(letterDigits || '0'),
    suffixes,
    revision: readNumeral(revision || '0'),
  };
}

function orderAlpine(a: AlpineVersion, b: AlpineVersion): Ordering {
  return (
    orderNumbers(a, b) ||
    order(a.letter, b.letter) ||
    order(a.letterNumber, b.letterNumber) ||
    orderSuffixes(a.suffixes, b.suffixes) ||
    order(a.revision, b.revision)
  );
}

function orderNumbers(a: AlpineVersion, b: AlpineVersion): Ordering {
  const length = Math.min(a.numbers.length, b.numbers.length);
  for (let i = 0; i < length; i++) {
    const left = a.texts[i] as string;
    const right = b.texts[i] as string;
    const asText = i > 0 && (left[0] === '0' || right[0] === '0');
    const result = asText
      ? order(left, right)
      : order(a.numbers[i] as Numeral, b.numbers[i] as Numeral);
    if (result !== 0) return result;
  }
  return order(a.numbers.length, b.numbers.length);
}

function orderSuffixes(a: readonly Suffix[], b: readonly Suffix[]): Ordering {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a[i] ?? NONE;
    const right = b[i] ?? NONE;
    const result = order(left.rank, right.rank) || order(left.value, right.value);
    if (result !== 0) return result;
  }
  return 0;
}
