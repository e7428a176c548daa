import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { reasonOf } from '@bomtrail/terminal';
import { isRecentEnough, OLDEST_RELEASE, releaseIn, type ServerKind } from './server-kind';

/** `absent`: no such file. `unusable`: does not run here, or is too old. */
export type Probe =
  | { state: 'usable'; release: string }
  | { state: 'absent' }
  | { state: 'unusable'; reason: string };

/** Runs `<path> --version`, at most 20 s, to detect binaries for other platforms. */
export async function probeBinary(kind: ServerKind, path: string): Promise<Probe> {
  try {
    await access(path, constants.X_OK);
  } catch {
    return { state: 'absent' };
  }
  const output = await versionOutput(path);
  if ('reason' in output) return { state: 'unusable', reason: output.reason };
  const release = releaseIn(output.text);
  if (release === undefined) return { state: 'unusable', reason: 'it does not tell its version' };
  if (!isRecentEnough(kind, release)) {
    const oldest = OLDEST_RELEASE[kind].join('.');
    return { state: 'unusable', reason: `it is ${release}, and ${oldest} is the oldest supported` };
  }
  return { state: 'usable', release };
}

function versionOutput(path: string): Promise<{ text: string } | { reason: string }> {
  return new Promise((resolve) => {
    execFile(path, ['--version'], { timeout: 20_000 }, (error, stdout, stderr) => {
      if (error === null) resolve({ text: stdout });
      else resolve({ reason: firstLine(stderr) ?? reasonOf(error) });
    });
  });
}

function firstLine(text: string): string | undefined {
  const line = text.trim().split('\n')[0]?.trim();
  return line === '' ? undefined : line;
}
