import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { parse } from 'yaml';
import { pythonPackages, type Say } from '../tools/fetch';
import { linesOf, run } from '../tools/run';

export type Framework = 'kubernetes' | 'dockerfile';

/** A check of checkov that need not hold, for resources whose names match. */
export interface Exception {
  readonly check: string;
  /** A regular expression for the whole name. */
  readonly resources: string;
  readonly reason: string;
  /** Of the chart: the value sets in which it may fail; absent: in all. */
  readonly sets?: readonly string[];
}

/** A check that failed, as checkov tells it. */
export interface Failed {
  readonly check_id: string;
  readonly check_name: string;
  readonly resource: string;
}

const folder = path.join('delivery', 'checkov');

/** The exceptions, by framework. */
export function readExceptions(): Record<Framework, Exception[]> {
  const text = readFileSync(path.join(repositoryRoot(), folder, 'exceptions.yaml'), 'utf8');
  return parse(text) as Record<Framework, Exception[]>;
}

/** What failed and is no exception, one line each; `used` gathers the exceptions that were needed. */
export function unexcused(
  failed: readonly Failed[],
  exceptions: readonly Exception[],
  used: Set<Exception>,
): string[] {
  return failed.flatMap(({ check_id, check_name, resource }) => {
    const exception = exceptions.find(
      (one) => one.check === check_id && new RegExp(`^(?:${one.resources})$`).test(resource),
    );
    if (exception) used.add(exception);
    return exception ? [] : [`${check_id} ${resource}: ${check_name}`];
  });
}

/** Looks at one file; gives what failed. It asks nobody outside. */
export type Checkov = (framework: Framework, file: string) => Promise<Failed[]>;

/** Gets checkov. @throws Error with the reason where it cannot be had */
export async function checkov(say: Say): Promise<Checkov> {
  const packages = await pythonPackages(
    path.join(repositoryRoot(), folder, 'requirements.txt'),
    say,
  );
  const env = { ...process.env, PYTHONPATH: packages, PYTHONDONTWRITEBYTECODE: '1' };
  return async (framework, file) => {
    const what = ['--framework', framework, '--file', file, '--output', 'json', '--compact'];
    const args = ['-m', 'checkov.main', ...what, '--skip-download', '--quiet'];
    const ended = await run('python3', args, { env });
    const answer = parseAnswer(ended.stdout);
    if (!answer) throw new Error(linesOf(ended.stderr).at(-1) ?? 'checkov gave no answer');
    return answer.results.failed_checks;
  };
}

interface Answer {
  summary: { passed: number; failed: number };
  results: { failed_checks: Failed[] };
}

function parseAnswer(text: string): Answer | null {
  try {
    const answer = JSON.parse(text) as Answer;
    return answer.summary.passed + answer.summary.failed > 0 ? answer : null;
  } catch {
    return null;
  }
}
