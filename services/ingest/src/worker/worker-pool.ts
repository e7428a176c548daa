import path from 'node:path';
import { Mutex } from 'async-mutex';
import { Piscina } from 'piscina';
import type { DiffOutcome, DiffTask } from './diff-component-sets';
import type { ParseOutcome, ParseTask } from './parse-document';

/** Work on whole documents and component sets, off the event loop. */
export interface Workers {
  parse(task: Omit<ParseTask, 'maxComponents'>): Promise<ParseOutcome>;
  /** @param count components of both sides together */
  diff(task: DiffTask & { count: number }): Promise<DiffOutcome>;
  close(): Promise<void>;
}

/** What is larger is worked on one at a time: each may need some hundred megabytes. */
const heavy = { documentBytes: 8 * 1024 * 1024, diffComponents: 50_000 };
const threadHeapMb = 896;
const idleMs = 60_000;

export function createWorkers(options: { threads: number; maxComponents: number }): Workers {
  const pool = new Piscina({
    minThreads: 1,
    maxThreads: options.threads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: threadHeapMb },
  });
  const oneAtATime = new Mutex();

  function run<Outcome>(worker: {
    name: string;
    task: object;
    isHeavy: boolean;
  }): Promise<Outcome> {
    const work = () =>
      pool.run(worker.task, { filename: workerFile(worker.name) }) as Promise<Outcome>;
    return worker.isHeavy ? oneAtATime.runExclusive(work) : work();
  }

  return {
    parse: (task) =>
      run({
        name: 'parse-document',
        task: { ...task, maxComponents: options.maxComponents },
        isHeavy: task.size > heavy.documentBytes,
      }),
    diff: ({ from, to, count }) =>
      run({
        name: 'diff-component-sets',
        task: { from, to },
        isHeavy: count > heavy.diffComponents,
      }),
    close: () => pool.close(),
  };
}

/** The compiled worker, which stands beside this file, or in `dist` where this file runs from its source. */
function workerFile(name: string): string {
  const folder = path.basename(path.resolve(__dirname, '..')) === 'src' ? '../../dist/worker' : '.';
  return path.resolve(__dirname, folder, `${name}.js`);
}
