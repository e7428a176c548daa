import { inParallel } from '../../load/in-parallel';
import type { Answer, HostileInput } from '../hostile-input';
import { outcomeOf } from '../hostile-input';
import { judgeResponses } from '../judge';
import { loadCorpus } from './corpus';
import { mutantOf } from './mutant';

const atOnce = 4;
/** All of the shared ones. */
const maxBytes = 8_000_000;

export interface MutantsOptions {
  seed: number;
  /** Their numbers. */
  numbers: readonly number[];
  say: (line: string) => void;
}

/** Mutants as one input. Each that is answered as none may be is named with its number. */
export function mutantsInput({
  seed,
  numbers,
  say,
}: MutantsOptions): Omit<HostileInput, 'expected'> & { expected: 'any refusal' } {
  const corpus = loadCorpus(maxBytes);
  return {
    name: 'fuzz',
    what: `${numbers.length} mutants of ${corpus.length} documents, seed ${seed}`,
    expected: 'any refusal',
    send: (transports) =>
      inParallel(numbers, atOnce, async (number): Promise<Answer> => {
        const { bytes, base, operators } = mutantOf(corpus, { seed, number });
        const answer = await transports.upload(bytes);
        if (judgeResponses([answer], 'any refusal').length > 0) {
          say(`fuzz-${number} (${base}: ${operators.join(', ')}) answered ${outcomeOf(answer)}`);
        }
        return answer;
      }),
  };
}
