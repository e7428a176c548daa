import { isEnclosed } from '../licence-expression';
import { DEPRECATED_IDS, EXCEPTION_IDS, LICENCE_IDS } from './licence-list';

/** A licence expression with the ids of the list. */
export type LicenceExpression = SimpleLicence | CompoundLicence;

export interface SimpleLicence {
  /** An id of the list that is not deprecated, or `LicenseRef-…`, also of another document. */
  id: string;
  /** `+`: this version or a later one. */
  orLater: boolean;
  exception: string | null;
}

export interface CompoundLicence {
  operator: 'AND' | 'OR';
  /** At least two, none of the same operator, each once. */
  operands: LicenceExpression[];
}

/** Longer texts are no expressions. */
const MAX_LETTERS = 8 * 1024;
/** Texts of several licences; longer ones are not taken apart. */
const MAX_TOGETHER = 64 * 1024;
/** In texts, where spelling is free. */
const OR = /^or$/i;
/** In other cases the word may be part of a name. */
const AND = /^(?:AND|and)$/;
/** Of parentheses. */
export const MAX_DEPTH = 50;

const OWN_ID = /^(?:DocumentRef-[\w.-]+:)?(?:LicenseRef|AdditionRef)-[\w.-]+$/;
const LICENCES = byLowerCase([...LICENCE_IDS, ...Object.keys(DEPRECATED_IDS)]);
const EXCEPTIONS = byLowerCase(EXCEPTION_IDS);

/**
 * docs/rules.md LI1. Parses an SPDX licence expression and replaces deprecated ids. Ids are compared without case, operators are
 * upper or lower case. Null for every other text, also for one unknown id in it: what it means is unknown.
 * Source: SPDX 3.0.1, annex "SPDX license expressions".
 */
export function parseLicence(text: string): LicenceExpression | null {
  if (text.length > MAX_LETTERS) return null;
  const tokens = text.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  let depth = 0;

  const isNext = (word: string): boolean => {
    const token = tokens[at];
    return token === word || token === word.toLowerCase();
  };
  const accept = (word: string): boolean => {
    const found = isNext(word);
    if (found) at += 1;
    return found;
  };
  const parseOperands = (
    operator: 'AND' | 'OR',
    parseOperand: () => LicenceExpression | null,
  ): LicenceExpression | null => {
    const operands: LicenceExpression[] = [];
    do {
      const operand = parseOperand();
      if (operand === null) return null;
      operands.push(operand);
    } while (accept(operator));
    return compound(operator, operands);
  };
  const parseOr = (): LicenceExpression | null => parseOperands('OR', parseAnd);
  const parseAnd = (): LicenceExpression | null => parseOperands('AND', parseOne);
  const parseOne = (): LicenceExpression | null => {
    if (accept('(')) {
      depth += 1;
      const inside = depth > MAX_DEPTH ? null : parseOr();
      depth -= 1;
      return accept(')') ? inside : null;
    }
    const licence = simple(tokens[at] ?? '');
    at += 1;
    if (licence === null || !accept('WITH')) return licence;
    const exception = exceptionOf(tokens[at] ?? '');
    at += 1;
    return exception === null || licence.exception !== null ? null : { ...licence, exception };
  };
  const expression = parseOr();
  return at === tokens.length ? expression : null;
}

/** Licences that all apply, in a text that is no expression as one of them is unknown; a choice is not taken apart. */
export function togetherIn(license: string, level = 0): string[] {
  if (license.length > MAX_TOGETHER || level > MAX_DEPTH) return [license];
  const text = license.trim();
  if (isEnclosed(text)) return togetherIn(text.slice(1, -1), level + 1);
  if (splitOutside(license, OR).length > 1) return [license];
  const parts = splitOutside(license, AND);
  return parts.length === 1 ? parts : parts.flatMap((part) => togetherIn(part, level + 1));
}

/**
 * Licences of which one may be chosen, in a text that is no expression as one of them is unknown; the text alone where
 * it has no choice outside of parentheses.
 */
export function alternativesIn(license: string): string[] {
  return license.length > MAX_TOGETHER ? [license] : splitOutside(license, OR);
}

/** The parts of a text between the words that are a separator, outside of parentheses. */
function splitOutside(text: string, separator: RegExp): string[] {
  const tokens = text.match(/[()]|[^\s()]+|\s+/g) ?? [];
  const nests = arePairs(tokens);
  const parts = [''];
  let depth = 0;
  for (const token of tokens) {
    if (nests) depth += Number(token === '(') - Number(token === ')');
    if (depth === 0 && separator.test(token)) parts.push('');
    else parts.push(`${parts.pop()}${token}`);
  }
  return parts;
}

/** Otherwise parentheses are only letters of a name, such as `a) Own licence`. */
function arePairs(tokens: readonly string[]): boolean {
  let open = 0;
  for (const token of tokens) {
    open += Number(token === '(') - Number(token === ')');
    if (open < 0) return false;
  }
  return open === 0;
}

/** One text for each expression: ids as in the list, parentheses only where they are needed. */
export function licenceText(expression: LicenceExpression): string {
  if (!('operator' in expression)) {
    const { id, orLater, exception } = expression;
    return `${id}${orLater ? '+' : ''}${exception === null ? '' : ` WITH ${exception}`}`;
  }
  const { operator, operands } = expression;
  const texts = operands.map((operand) =>
    operator === 'AND' && 'operator' in operand
      ? `(${licenceText(operand)})`
      : licenceText(operand),
  );
  return texts.join(` ${operator} `);
}

function compound(operator: 'AND' | 'OR', operands: LicenceExpression[]): LicenceExpression {
  const flat = operands.flatMap((operand) =>
    'operator' in operand && operand.operator === operator ? operand.operands : [operand],
  );
  const distinct = [...new Map(flat.map((operand) => [licenceText(operand), operand])).values()];
  const [first] = distinct;
  return distinct.length === 1 && first !== undefined ? first : { operator, operands: distinct };
}

function simple(token: string): SimpleLicence | null {
  if (OWN_ID.test(token)) return { id: token, orLater: false, exception: null };
  const exact = LICENCES.get(token.toLowerCase());
  if (exact !== undefined) return current(exact);
  if (!token.endsWith('+')) return null;
  const id = LICENCES.get(token.slice(0, -1).toLowerCase());
  if (id === undefined) return null;
  const licence = current(id);
  const gnu = /^(.*)-(?:only|or-later)$/.exec(licence.id);
  return gnu === null ? { ...licence, orLater: true } : { ...licence, id: `${gnu[1]}-or-later` };
}

function current(id: string): SimpleLicence {
  const [licence = id, exception = null] = (DEPRECATED_IDS[id] ?? id).split(' WITH ');
  return { id: licence, orLater: false, exception };
}

function exceptionOf(token: string): string | null {
  return OWN_ID.test(token) ? token : (EXCEPTIONS.get(token.toLowerCase()) ?? null);
}

function byLowerCase(ids: readonly string[]): Map<string, string> {
  return new Map(ids.map((id) => [id.toLowerCase(), id]));
}
