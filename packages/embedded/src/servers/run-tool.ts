import { execFile } from 'node:child_process';

/** How a tool's run ended; `absent` when there is no such program. */
export type ToolRun = { state: 'done' } | { state: 'absent' } | { state: 'failed'; reason: string };

/** Runs a program to its end (at most 10 minutes); a failure carries the last line it wrote. */
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

/** Last line that says something; pip's advice about its own newer release is left out. */
function lastLine(text: string): string | undefined {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '' && !line.startsWith('[notice]')).at(-1);
}
