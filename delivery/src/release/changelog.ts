import { repositoryRoot } from '@bomtrail/embedded';
import { run } from '../tools/run';

/** Input of the release notes. */
export interface History {
  /** Tag of the previous release; null for the first. */
  readonly since: string | null;
  /** Subjects of the commits since then, newest first. */
  readonly subjects: readonly string[];
}

/**
 * Returns the commits since the previous release.
 *
 * @throws Error if there is no git history
 */
export async function readHistory(version: string): Promise<History> {
  const own = `v${version}`;
  const tags = await git(['tag', '--merged', 'HEAD', '--list', 'v*', '--sort=-version:refname']);
  const since = tags.find((tag) => tag !== own) ?? null;
  const range = since === null ? ['HEAD'] : [`${since}..HEAD`];
  return { since, subjects: await git(['log', '--no-merges', '--format=%s', ...range]) };
}

/** Formats the release notes in Markdown from commit subjects. */
export function changelog(version: string, date: string, { since, subjects }: History): string {
  const begin = since === null ? 'The first release.' : `Since ${since}:`;
  const lines = subjects.map((subject) => `- ${escaped(subject)}`);
  return [`## ${version} (${date})`, '', begin, '', ...lines, ''].join('\n');
}

/** Escapes names like `a_b_c` and `<digest>`. */
function escaped(text: string): string {
  return text.replaceAll(/[<>*_[\]]/g, '\\$&');
}

async function git(args: string[]): Promise<string[]> {
  const ended = await run('git', args, { cwd: repositoryRoot() });
  if (ended.code !== 0) throw new Error(`git: ${ended.stderr.trim()}`);
  return ended.stdout.split('\n').filter((line) => line !== '');
}
