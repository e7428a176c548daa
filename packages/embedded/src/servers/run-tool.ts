import { execFile } from 'node:child_process';

/** Result of a tool; `absent` if the program does not exist. */
export type ToolRun = { state: 'done' } | { state: 'absent' } | { state: 'failed'; reason: string };

/** Runs a program, at most 10 minutes; a failure includes its last line of output. */
export function runTool(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<ToolRun> {
  return new Promise((resolve) => {
    const limits = { timeout: 600_000, maxBuffer: 16 * 1024 * 1024, env };
    execFile(command, args, limits, (error, stdout, stderr) => {
      if (error === null) resolve({ state: 'done' });
      else if (error.code === 'ENOENT') resolve({ state: 'absent' });
      else
        resolve({ state: 'failed', reason: lastLine(stderr) ?? lastLine(stdout) ?? error.message });
    });
  });
}

/** Runs a program. @throws Error with the reason if it does not exist or fails */
export async function mustRun(
  command: string,
  args: string[],
  env?: NodeJS.ProcessEnv,
): Promise<void> {
  const ended = await runTool(command, args, env);
  if (ended.state === 'absent') throw new Error(`${command} is not installed`);
  if (ended.state === 'failed') throw new Error(ended.reason);
}

/** Returns the last meaningful line, ignoring pip's upgrade notice. */
function lastLine(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('[notice]')).at(-1);
}
