import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pythonEnvironment, pythonPackages, repositoryRoot } from '@bomtrail/embedded';
import { parse } from 'yaml';
import type { Say } from '../tools/fetch';
import { linesOf, run } from '../tools/run';

export type Framework = 'kubernetes' | 'dockerfile';

/** An exception from a check of checkov. */
export interface Exception {
  readonly check: string;
  /** A regular expression for the whole name. */
  readonly resources: string;
  readonly reason: string;
  /** For the chart: value sets with the exception; absent: all. */
  readonly sets?: readonly string[];
}

/** A failed check of checkov. */
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

/** Returns failed checks without exception, one line each; `used` collects the used exceptions. */
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

/** Checks one file, offline; returns the failed checks. */
export type Checkov = (framework: Framework, file: string) => Promise<Failed[]>;

/** Fetches checkov. @throws Error if it is not available */
export async function checkov(say: Say): Promise<Checkov> {
  const packages = await pythonPackages(
    path.join(repositoryRoot(), folder, 'requirements.txt'),
    say,
  );
  const env = pythonEnvironment(packages);
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
