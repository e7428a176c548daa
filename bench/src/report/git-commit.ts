import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface GitCommit {
  hash: string;
  /** Tracked files differ from the commit: the measured state cannot be checked out. */
  modified: boolean;
}

/** The commit that is checked out in `folder`; null outside of a git checkout or without git. */
export async function readCommit(folder: string): Promise<GitCommit | null> {
  const git = async (...args: string[]): Promise<string> =>
    (await promisify(execFile)('git', args, { cwd: folder })).stdout.trim();
  try {
    const hash = await git('rev-parse', 'HEAD');
    const changes = await git('status', '--porcelain', '--untracked-files=no');
    return { hash, modified: changes !== '' };
  } catch {
    return null;
  }
}
