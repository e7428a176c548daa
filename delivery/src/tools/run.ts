import { execFile } from 'node:child_process';

/** How a program ended and what it wrote. */
export interface Ran {
  /** Exit code; null when it was ended by a signal or the time limit. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const longestMs = 5 * 60_000;

/** Runs a program to its end, 5 minutes at most unless `timeout` (milliseconds) says otherwise. @throws Error when there is no such program */
export function run(
  command: string,
  args: readonly string[],
  options: { cwd?: string; env?: NodeJS.ProcessEnv; timeout?: number } = {},
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: longestMs, maxBuffer: 256 * 1024 * 1024 };
    execFile(command, [...args], { ...limits, ...options }, (error, stdout, stderr) => {
      if (error?.code === 'ENOENT') reject(new Error(`${command} is not installed`));
      else resolve({ code: error ? numberOr(error.code) : 0, stdout, stderr });
    });
  });
}

function numberOr(code: unknown): number | null {
  return typeof code === 'number' ? code : null;
}

/** The lines of a text that say something, indentation dropped; at most `most` of them. */
export function linesOf(text: string, most = 40): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '').slice(0, most);
}
