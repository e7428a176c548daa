import { endOfDigits, endOfLetters, isDigit, isLetter } from '../characters';
import { type Numeral, type Ordering, comparing, order, readNumeral } from '../ordering';

/** What may stand at one place of a version, from the lowest to the highest. */
interface Segment {
  rank: number;
  value: Numeral | string;
}

interface RpmVersion {
  epoch: Numeral;
  version: Segment[];
  /** Null when there is no hyphen: before every release. */
  release: Segment[] | null;
}

const TILDE: Segment = { rank: 0, value: '' };
const END: Segment = { rank: 1, value: '' };
const CARET: Segment = { rank: 2, value: '' };
/** ASCII that no RPM version holds: white space, ranges, placeholders. */
const FOREIGN = /[^0-9A-Za-z._+~^:\u0080-\uffff-]/;
const LETTERS = 3;
const DIGITS = 4;

/**
 * Red Hat and all that build with RPM: `[epoch:]version[-release]` (rpm-version(7), rpm.org,
 * "Dependencies"): segments of digits or letters, whatever separates them; `~` before the end, `^`
 * after it but before any segment; letters before digits; a missing epoch counts as 0.
 */
export const compareRedHat = comparing(parseRpm, orderRpm);

function parseRpm(text: string): RpmVersion | null {
  const trimmed = text.trim();
  if (trimmed === '' || FOREIGN.test(trimmed)) return null;
  const endOfEpoch = endOfDigits(trimmed, 0);
  const hasEpoch = endOfEpoch > 0 && trimmed[endOfEpoch] === ':';
  const rest = hasEpoch ? trimmed.slice(endOfEpoch + 1) : trimmed;
  const hyphen = rest.lastIndexOf('-');
  return {
    epoch: hasEpoch ? readNumeral(trimmed.slice(0, endOfEpoch)) : 0,
    version: readSegments(hyphen === -1 ? rest : rest.slice(0, hyphen)),
    release: hyphen === -1 ? null : readSegments(rest.slice(hyphen + 1)),
  };
}

function readSegments(text: string): Segment[] {
  const segments: Segment[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    let end = at + 1;
    if (isDigit(code)) {
      end = endOfDigits(text, at);
      segments.push({ rank: DIGITS, value: readNumeral(text.slice(at, end)) });
    } else if (isLetter(code)) {
      end = endOfLetters(text, at);
      segments.push({ rank: LETTERS, value: text.slice(at, end) });
    } else if (code === 126) segments.push(TILDE);
    else if (code === 94) segments.push(CARET);
    at = end;
  }
  return segments;
}

function orderRpm(a: RpmVersion, b: RpmVersion): Ordering {
  const result = order(a.epoch, b.epoch) || orderSegments(a.version, b.version);
  if (result !== 0) return result;
  if (a.release === null || b.release === null) {
    return order(a.release === null ? 0 : 1, b.release === null ? 0 : 1);
  }
  return orderSegments(a.release, b.release);
}

function orderSegments(a: readonly Segment[], b: readonly Segment[]): Ordering {
  const length = Math.max(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const left = a[i] ?? END;
    const right = b[i] ?? END;
    const result = order(left.rank, right.rank) || order(left.value, right.value);
    if (result !== 0) return result;
  }
  return 0;
}
