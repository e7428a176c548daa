import { distance } from 'fastest-levenshtein';
import { LICENCE_IDS } from './licence-list';
import { parseLicence } from './parse-expression';

/** A rule about a text that is no licence of the list. */
export interface UnknownRule {
  license: string;
  /** Ids of the list that differ least from it, in few letters; empty: hardly a misspelt id. */
  similar: string[];
}

/** Ids that are named with a rule. */
const MAX_SIMILAR = 3;
/** A missing, needless or wrong letter counts one, two that are swapped count two. */
const MAX_DIFFERENCES = 2;
/** Shorter texts resemble too many ids. */
const MIN_LETTERS = 5;

/** docs/rules.md LP6. The rules that apply only to components that state exactly their text. */
export function findUnknownRules(rules: readonly { license: string }[]): UnknownRule[] {
  const texts = [...new Set(rules.map(({ license }) => license.trim()))];
  return texts.filter(isUnknown).map((license) => ({ license, similar: similarTo(license) }));
}

function isUnknown(text: string): boolean {
  const expression = parseLicence(text);
  return expression === null || 'operator' in expression;
}

function similarTo(text: string): string[] {
  const letters = text.toLowerCase();
  if (letters.length < MIN_LETTERS) return [];
  const near = LICENCE_IDS.map((id) => ({ id, by: distance(letters, id.toLowerCase()) }));
  const least = Math.min(MAX_DIFFERENCES, ...near.map(({ by }) => by));
  return near
    .filter(({ by }) => by === least)
    .slice(0, MAX_SIMILAR)
    .map(({ id }) => id);
}
