import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BenchFailure } from '../bench-failure';
import { repositoryRoot } from '../paths';

/** Ends the program early, and hears what it says meanwhile. */
export interface MeasureDeps {
  signal: AbortSignal;
  say: (line: string) => void;
}

/**
 * Runs one of the reconciler's programs in `src/measure`, which know its documents, and gives what it
 * prints last, as JSON.
 */
export async function runMeasureProgram<Result>(
  name: 'main' | 'fill-main',
  order: unknown,
  { signal, say }: MeasureDeps,
): Promise<Result> {
  const folder = join(repositoryRoot(), 'services', 'reconciler', 'dist', 'measure');
  const program = join(folder, `${name}.js`);
  const child = spawn(process.execPath, ['--enable-source-maps', program, JSON.stringify(order)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (said + chunk).split('\n');
    said = lines.pop() ?? '';
    lines.forEach(say);
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) throw new BenchFailure(`the measurement ended with ${code}: ${said}`);
  return JSON.parse(output.split('\n').filter(Boolean).at(-1) ?? '') as Result;
}
