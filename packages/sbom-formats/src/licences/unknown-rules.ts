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
/** A swapped, wrong, missing or needless letter counts one. */
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
  const near = LICENCE_IDS.map((id) => ({ id, by: differences(letters, id.toLowerCase()) }));
  const least = Math.min(MAX_DIFFERENCES, ...near.map(({ by }) => by));
  return near
    .filter(({ by }) => by === least)
    .slice(0, MAX_SIMILAR)
    .map(({ id }) => id);
}

/** The optimal string alignment distance; more than `MAX_DIFFERENCES` of texts whose lengths alone differ by more. */
function differences(one: string, other: string): number {
  if (Math.abs(one.length - other.length) > MAX_DIFFERENCES) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const next = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isEqual = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      next[column] = Math.min(
        (last[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + Number(!isEqual),
        isSwapped ? (before[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, last] = [last, next];
  }
  return last[other.length] ?? 0;
}
