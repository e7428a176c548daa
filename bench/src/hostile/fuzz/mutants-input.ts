import { inParallel } from '../../load/in-parallel';
import type { Answer, HostileInput, Transports } from '../hostile-input';
import { outcomeOf } from '../hostile-input';
import { judgeResponses, type AcceptedOrRefused } from '../judge';
import { loadCorpus, loadSpdx3Corpus, type CorpusDocument } from './corpus';
import { mutantOf } from './mutant';
import { loadVexCorpus } from './vex-corpus';

const atOnce = 4;
/** All of the shared ones. */
const maxBytes = 8_000_000;
/** The rules of CSAF take seconds for the largest. */
const maxVexBytes = 100_000;

export interface MutantsOptions {
  seed: number;
  /** Their numbers. */
  numbers: readonly number[];
  say: (line: string) => void;
}

type MutantsInput = Omit<HostileInput, 'expected'> & { expected: AcceptedOrRefused };

/** Mutants of SBOMs as one input. Each that is answered as none may be is named with its number. */
export function mutantsInput(options: MutantsOptions): MutantsInput {
  const corpus = loadCorpus(maxBytes);
  return inputOf('fuzz', { corpus, ...options, ...uploaded });
}

/** Mutants of SPDX 3 documents likewise. */
export function spdx3MutantsInput(options: MutantsOptions): MutantsInput {
  const corpus = loadSpdx3Corpus(maxBytes);
  return inputOf('spdx3', { corpus, ...options, ...uploaded });
}

/** Mutants of VEX documents likewise. */
export function vexMutantsInput(options: MutantsOptions): MutantsInput {
  const corpus = loadVexCorpus(maxVexBytes);
  return inputOf('vex', { corpus, ...options, ...imported });
}

interface Way {
  expected: AcceptedOrRefused;
  send: (transports: Transports, bytes: Buffer) => Promise<Answer>;
}

const uploaded: Way = {
  expected: '201 or any refusal',
  send: (transports, bytes) => transports.upload(bytes),
};
const imported: Way = {
  expected: '200 or any refusal',
  send: (transports, bytes) => transports.importVex(bytes),
};

function inputOf(
  name: string,
  {
    corpus,
    seed,
    numbers,
    say,
    expected,
    send,
  }: MutantsOptions & Way & { corpus: readonly CorpusDocument[] },
): MutantsInput {
  return {
    name,
    what: `${numbers.length} mutants of ${corpus.length} documents, seed ${seed}`,
    expected,
    send: (transports) =>
      inParallel(numbers, atOnce, async (number): Promise<Answer> => {
        const { bytes, base, operators } = mutantOf(corpus, { seed, number });
        const answer = await send(transports, bytes);
        if (judgeResponses([answer], expected).length > 0) {
          say(`${name}-${number} (${base}: ${operators.join(', ')}) answered ${outcomeOf(answer)}`);
        }
        return answer;
      }),
  };
}
