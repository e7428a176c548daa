import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { run } from '../tools/run';

/** Input of the release notes. */
export interface History {
  /** Tag of the previous release; null for the first. */
  readonly since: string | null;
  /** Subjects of the commits since then, newest first. */
  readonly subjects: readonly string[];
}

/** CHANGELOG.md. */
export function readChangelog(): string {
  return readFileSync(path.join(repositoryRoot(), 'CHANGELOG.md'), 'utf8');
}

/** The text under a heading of the second level; null: there is none. */
export function sectionOf(document: string, heading: string): string | null {
  const sections = document.split(/^## /m).slice(1);
  const found = sections.find((section) => section.split('\n', 1)[0] === heading);
  return found?.slice(heading.length).trim() ?? null;
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

export interface Notes extends History {
  readonly version: string;
  /** Day, `2026-01-31`. */
  readonly date: string;
  /** What CHANGELOG.md says of the version. */
  readonly described: string;
}

/** Formats the release notes in Markdown: what CHANGELOG.md says, then the subjects of the commits. */
export function releaseNotes({ version, date, described, since, subjects }: Notes): string {
  const begin = since === null ? 'The first release.' : `Since ${since}:`;
  const lines = subjects.map((subject) => `- ${escaped(subject)}`);
  const head = [`## ${version} (${date})`, '', described, ''];
  return [...head, '### Commits', '', begin, '', ...lines, ''].join('\n');
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
