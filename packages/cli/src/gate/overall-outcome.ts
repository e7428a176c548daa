import type { Outcome } from '../context';
import { EXIT } from '../exit-codes';
import { counted } from '../output/clean-text';
import type { DocumentReport } from '../output/document-report';

/** Worst first: findings are certain, a wrong call does not pass by itself, the others may. */
const worstFirst = [EXIT.policy, EXIT.usage, EXIT.service, EXIT.undecided] as const;
const words: Readonly<Record<number, string>> = {
  [EXIT.policy]: 'with findings that fail the gate',
  [EXIT.usage]: 'rejected',
  [EXIT.service]: 'not answered',
  [EXIT.undecided]: 'undecided',
};
const names: Readonly<Record<number, string>> = {
  [EXIT.policy]: 'FAIL',
  [EXIT.usage]: 'ERROR',
  [EXIT.service]: 'ERROR',
  [EXIT.undecided]: 'UNDECIDED',
};

/** The outcome of several documents: the exit code of the worst, and one line about all. */
export function overallOutcome(documents: readonly DocumentReport[]): Outcome {
  const [first] = documents;
  if (documents.length === 1 && first) return first.outcome;
  const counts = new Map<number, number>();
  for (const { outcome } of documents)
    counts.set(outcome.exitCode, (counts.get(outcome.exitCode) ?? 0) + 1);
  const bad = worstFirst.filter((code) => counts.has(code));
  const exitCode = bad[0] ?? EXIT.pass;
  const isGated = documents.some(({ judged }) => judged?.judgement.conclusion === 'pass');
  const good = isGated ? 'passed' : 'done';
  const parts = bad.map((code) => `${counts.get(code)} ${words[code]}`);
  const passed = counts.get(EXIT.pass) ?? 0;
  if (passed > 0) parts.push(`${passed} ${good}`);
  const name = names[exitCode] ?? (isGated ? 'PASS' : 'DONE');
  return {
    exitCode,
    line: `${name} ${counted(documents.length, 'document')}: ${parts.join(', ')}`,
  };
}
