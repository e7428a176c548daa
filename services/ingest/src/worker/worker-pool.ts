import path from 'node:path';
import { Mutex, Semaphore } from 'async-mutex';
import { Piscina } from 'piscina';
import type { DiffOutcome, DiffTask } from './diff-component-sets';
import type { ParseOutcome, ParseTask } from './parse-document';

/** Work on whole documents and component sets, off the event loop. */
export interface Workers {
  parse(task: Omit<ParseTask, 'maxComponents'>): Promise<ParseOutcome>;
  /**
   * @param task `count`: components of both sides together; `read`: gives the two sets once it is this
   *   diff's turn, so that those that wait hold nothing in memory
   */
  diff(task: { count: number; read: () => Promise<DiffTask> }): Promise<DiffOutcome>;
  close(): Promise<void>;
}

/** What is larger is worked on one at a time: each may need some hundred megabytes. */
const heavy = { documentBytes: 8 * 1024 * 1024, diffComponents: 50_000 };
/** Smaller diffs that are in hand at once, each with some megabytes. */
const lightDiffs = 8;
/** An upload goes before the diffs that wait: a client that compares a lot must not hold up builds. */
const priority = { upload: 1, diff: 0 };
const usualHeapMb = 896;
const idleMs = 60_000;

export interface WorkersOptions {
  threads: number;
  maxComponents: number;
  /** Of a thread, in MiB. */
  heapMb?: number;
  /** Told of a thread that dies without a task: none fails by it, and the pool replaces it. */
  onThreadError: (error: Error) => void;
}

export function createWorkers(options: WorkersOptions): Workers {
  const pool = new Piscina({
    minThreads: 1,
    maxThreads: options.threads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMb ?? usualHeapMb },
  });
  // Without a listener such an error would end the process.
  pool.on('error', options.onThreadError);
  const oneAtATime = new Mutex();
  const someAtATime = new Semaphore(lightDiffs);

  function run<Outcome>(name: string, task: object): Promise<Outcome> {
    return pool.run(task, { filename: workerFile(name) }) as Promise<Outcome>;
  }

  return {
    parse(task) {
      const work = () =>
        run<ParseOutcome>('parse-document', { ...task, maxComponents: options.maxComponents });
      const isHeavy = task.size > heavy.documentBytes;
      return isHeavy ? oneAtATime.runExclusive(work, priority.upload) : work();
    },
    diff({ count, read }) {
      const work = async () => run<DiffOutcome>('diff-component-sets', await read());
      const isHeavy = count > heavy.diffComponents;
      return isHeavy
        ? oneAtATime.runExclusive(work, priority.diff)
        : someAtATime.runExclusive(work);
    },
    close: () => pool.close(),
  };
}

/** The compiled worker, which stands beside this file, or in `dist` where this file runs from its source. */
function workerFile(name: string): string {
  const folder = path.basename(path.resolve(__dirname, '..')) === 'src' ? '../../dist/worker' : '.';
  return path.resolve(__dirname, folder, `${name}.js`);
}
