import { byteOperators } from './byte-operators';
import type { CorpusDocument } from './corpus';
import type { Json } from './locations';
import { createRandom } from './random';
import { numberMark, structureOperators } from './structure-operators';

/** A changed document, and how it came about. */
export interface Mutant {
  bytes: Buffer;
  /** The document that was changed. */
  base: string;
  /** In the order in which they were applied. */
  operators: string[];
}

const maxOperators = 4;
/** One mutant in so many is damaged as bytes, too: such a one is mostly no JSON any more. */
const damagedOneIn = 5;

/** The same seed and number give the same mutant of the same corpus, whichever others are made. */
export function mutantOf(
  corpus: readonly CorpusDocument[],
  { seed, number }: { seed: number; number: number },
): Mutant {
  const random = createRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const base = random.pick(corpus);
  const donor = random.pick(corpus).json();
  const document = structuredClone(base.json());
  const operators: string[] = [];
  for (let count = 1 + random.below(maxOperators); count > 0; count -= 1) {
    const name = random.pick(Object.keys(structureOperators));
    structureOperators[name]?.(document, { random, donor });
    operators.push(name);
  }
  let bytes = writeDocument(document, random.below(2) * 2);
  if (random.below(damagedOneIn) === 0) {
    const name = random.pick(Object.keys(byteOperators));
    bytes = byteOperators[name]?.(bytes, random) ?? bytes;
    operators.push(name);
  }
  return { bytes, base: base.name, operators };
}

/** As JSON, in which marked numbers stand as they are and need not fit into a double. */
function writeDocument(document: Json, indent: number): Buffer {
  const mark = JSON.stringify(numberMark).slice(1, -1);
  const marked = new RegExp(`"${mark.replaceAll('\\', '\\\\')}([^"]*)"`, 'g');
  return Buffer.from(JSON.stringify(document, null, indent).replace(marked, '$1'));
}
