import { type Numeral, type Ordering, comparing, order, readNumeral } from '../ordering';
import { orderNumbers } from '../semver/order-semver';

interface GhcVersion {
  numbers: Numeral[];
  stage: number;
  count: Numeral;
}

const STAGES: Readonly<Record<string, number>> = { alpha: 0, beta: 1, rc: 2 };
const RELEASED = 3;
const VERSION = /^([0-9]+(?:\.[0-9]+)*)(?:-?(alpha|beta|rc)\.?([0-9]+))?$/;

/**
 * GHC: GHC User's Guide, "GHC version numbering policy", and the tags of its releases
 * (`ghc-9.8.1-alpha2-release`, `-rc1`): numbers, missing ones as 0, then the stage, then its count
 * by value. Also old two-part versions (`3.02`).
 */
export const compareGhc = comparing(parseGhc, orderGhc);

function parseGhc(text: string): GhcVersion | null {
  const match = VERSION.exec(text.trim());
  if (match === null) return null;
  const [, dotted = '', stage, count = '0'] = match;
  return {
    numbers: dotted.split('.').map(readNumeral),
    stage: stage === undefined ? RELEASED : (STAGES[stage] ?? RELEASED),
    count: readNumeral(count),
  };
}

function orderGhc(a: GhcVersion, b: GhcVersion): Ordering {
  return orderNumbers(a.numbers, b.numbers) || order(a.stage, b.stage) || order(a.count, b.count);
}
