import { repositoryRoot } from '@bomtrail/embedded';
import { run } from '../tools/run';

/** What the notes of a release are made of. */
export interface History {
  /** The tag of the release before; null before the first one. */
  readonly since: string | null;
  /** First lines of the commits since then, newest first. */
  readonly subjects: readonly string[];
}

/**
 * The commits since the newest release before this one.
 *
 * @throws Error where this is no clone with a history
 */
export async function readHistory(version: string): Promise<History> {
  const own = `v${version}`;
  const tags = await git(['tag', '--merged', 'HEAD', '--list', 'v*', '--sort=-version:refname']);
  const since = tags.find((tag) => tag !== own) ?? null;
  const range = since === null ? ['HEAD'] : [`${since}..HEAD`];
  return { since, subjects: await git(['log', '--no-merges', '--format=%s', ...range]) };
}

/** The notes of a release in Markdown: what each commit was good for, as its author wrote it. */
export function changelog(version: string, date: string, { since, subjects }: History): string {
  const begin = since === null ? 'The first release.' : `Since ${since}:`;
  const lines = subjects.map((subject) => `- ${escaped(subject)}`);
  return [`## ${version} (${date})`, '', begin, '', ...lines, ''].join('\n');
}

/** Names such as `a_b_c` and `<digest>` are text in a list, not markup. */
function escaped(text: string): string {
  return text.replaceAll(/[<>*_[\]]/g, '\\$&');
}

async function git(args: string[]): Promise<string[]> {
  const ended = await run('git', args, { cwd: repositoryRoot() });
  if (ended.code !== 0) throw new Error(`git: ${ended.stderr.trim()}`);
  return ended.stdout.split('\n').filter((line) => line !== '');
}
