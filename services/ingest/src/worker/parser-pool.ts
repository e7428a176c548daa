import path from 'node:path';
import { Mutex } from 'async-mutex';
import { Piscina } from 'piscina';
import type { ParseOutcome, ParseTask } from './parse-document';

/** Reads documents off the event loop. */
export interface Parser {
  parse(task: Omit<ParseTask, 'maxComponents'>): Promise<ParseOutcome>;
  close(): Promise<void>;
}

/** Documents above this unpacked size are read one at a time: each may need some hundred megabytes. */
const heavyBytes = 8 * 1024 * 1024;
const threadHeapMb = 896;
const idleMs = 60_000;

export function createParser(options: { threads: number; maxComponents: number }): Parser {
  const pool = new Piscina<ParseTask, ParseOutcome>({
    filename: workerFile(),
    minThreads: 1,
    maxThreads: options.threads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMb },
  });
  const heavy = new Mutex();
  return {
    parse(task) {
      const run = (): Promise<ParseOutcome> =>
        pool.run({ ...task, maxComponents: options.maxComponents });
      return task.size > heavyBytes ? heavy.runExclusive(run) : run();
    },
    close: () => pool.close(),
  };
}

/** The compiled worker, which stands beside this file, or in `dist` where this file runs from its source. */
function workerFile(): string {
  const folder = path.basename(path.resolve(__dirname, '..')) === 'src' ? '../../dist/worker' : '.';
  return path.resolve(__dirname, folder, 'parse-document.js');
}
