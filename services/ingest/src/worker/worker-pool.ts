import path from 'node:path';
import { createBatcher } from '@bomtrail/concurrency';
import { Mutex, Semaphore } from 'async-mutex';
import { Piscina } from 'piscina';
import type { DiffOutcome, DiffTask } from './diff-component-sets';
import type { DependencyLevel, DependencyPaths } from '@bomtrail/sbom-formats';
import type { PathsTask } from './find-paths';
import type { ParseOutcome, ParseTask } from './parse-document';
import type { DescribeSbomTask } from './describe-sbom';
import type { IndexLicencesTask } from './index-licences';
import type { JudgeLicencesTask } from './judge-licences';
import type { PackedLicences } from './pack-licences';
import type { MatchVexTask } from './match-vex';
import type { LevelTask } from './read-level';
import type { ReadVexTask } from './read-vex';
import type { ReadEmbeddedVexTask } from './read-embedded-vex';
import type { LicenseJudgement } from '@bomtrail/messages';
import type { EmbeddedVex, ReadVexResult, SbomIdentity, StatementMatch } from '@bomtrail/vex';

/** Work on documents and component sets in worker threads. */
export interface Workers {
  /**
   * @param task `isUpload`: default true; others wait for uploads if the document is large; `gone`: aborts when the
   *   result is no longer wanted
   */
  parse(
    task: Omit<ParseTask, 'maxComponents'> & { isUpload?: boolean; gone?: AbortSignal },
  ): Promise<ParseOutcome>;
  /**
   * @param task `count`: components of both sides; `read`: loads the sets when the diff starts, so
   *   that waiting diffs need no memory
   */
  diff(task: { count: number; read: () => Promise<DiffTask> }): Promise<DiffOutcome>;
  /**
   * @param task `size`: bytes of the document, unpacked; `read`: as for a diff
   */
  paths(task: { size: number; read: () => Promise<PathsTask> }): Promise<DependencyPaths[] | null>;
  /** @param task as for paths */
  dependencyLevel(task: {
    size: number;
    read: () => Promise<LevelTask>;
  }): Promise<DependencyLevel | null>;
  /** @param task as for a diff */
  judgeLicences(task: {
    count: number;
    read: () => Promise<JudgeLicencesTask>;
  }): Promise<LicenseJudgement>;
  /** @param task as for a diff; null: the set is missing, and so is the result */
  indexLicences(task: {
    count: number;
    read: () => Promise<IndexLicencesTask | null>;
  }): Promise<PackedLicences | null>;
  readVex(task: ReadVexTask): Promise<ReadVexResult>;
  /** @param task as for paths */
  describeSbom(task: {
    size: number;
    read: () => Promise<DescribeSbomTask>;
  }): Promise<SbomIdentity>;
  /** @param task as for paths */
  readEmbeddedVex(task: {
    size: number;
    read: () => Promise<ReadEmbeddedVexTask>;
  }): Promise<EmbeddedVex>;
  matchVex(task: { size: number; read: () => Promise<MatchVexTask> }): Promise<StatementMatch[]>;
  close(): Promise<void>;
}

/** Larger tasks run one at a time: each may need some hundred megabytes. */
const heavy = { documentBytes: 8 * 1024 * 1024, diffComponents: 50_000 };
/** Documents that are parsed several at a time: each takes a thread some milliseconds. */
const small = { documentBytes: 1024 * 1024, batch: 16 };
/** Concurrent smaller diffs and searches for paths, some megabytes each. */
const lightDiffs = 8;
/** Uploads precede waiting diffs, searches and documents that are only checked. */
const priority = { upload: 1, check: 0, diff: 0 };
const usualHeapMb = 896;
const idleMs = 60_000;

export interface WorkersOptions {
  threads: number;
  maxComponents: number;
  /** Heap of a thread, in MiB. */
  heapMb?: number;
  /** Called when an idle thread dies; the pool replaces it. */
  onThreadError: (error: Error) => void;
}

export function createWorkers(options: WorkersOptions): Workers {
  const pool = new Piscina({
    minThreads: 1,
    maxThreads: options.threads,
    idleTimeout: idleMs,
    resourceLimits: { maxOldGenerationSizeMb: options.heapMb ?? usualHeapMb },
  });
  // Without a listener the error would end the process.
  pool.on('error', options.onThreadError);
  const oneAtATime = new Mutex();
  const someAtATime = new Semaphore(lightDiffs);

  function run<Outcome>(name: string, task: unknown): Promise<Outcome> {
    return pool.run(task, { filename: workerFile(name) }) as Promise<Outcome>;
  }

  function parseAlone(task: ParseTask, gone?: AbortSignal): Promise<ParseOutcome> {
    gone?.throwIfAborted();
    // Ends the thread, which is cheaper than to parse a large document for nobody.
    return pool.run(task, { filename: workerFile('parse-document'), signal: gone ?? null });
  }

  // One message to a thread and back costs more than a third of parsing a small document.
  const parseBatched = createBatcher<ParseTask, ParseOutcome | { error: string }>(
    (tasks) => run('parse-documents', tasks),
    small.batch,
  );

  /** Work that is no upload; `read` loads what it needs when its turn comes. */
  function inTurn<Task, Outcome>(
    name: string,
    isHeavy: boolean,
    read: () => Promise<Task>,
  ): Promise<Outcome> {
    const work = async (): Promise<Outcome> => run(name, await read());
    return isHeavy ? oneAtATime.runExclusive(work, priority.diff) : someAtATime.runExclusive(work);
  }

  /** With a whole document. */
  function withDocument<Task, Outcome>(name: string) {
    return ({ size, read }: { size: number; read: () => Promise<Task> }): Promise<Outcome> =>
      inTurn(name, size > heavy.documentBytes, read);
  }

  /** With the components of a set, or of two. */
  function withComponents<Task, Outcome>(name: string) {
    return ({ count, read }: { count: number; read: () => Promise<Task> }): Promise<Outcome> =>
      inTurn(name, count > heavy.diffComponents, read);
  }

  return {
    async parse({ isUpload = true, gone, ...given }) {
      const task = { ...given, maxComponents: options.maxComponents };
      if (task.size > heavy.documentBytes) {
        const before = isUpload ? priority.upload : priority.check;
        return oneAtATime.runExclusive(() => parseAlone(task, gone), before);
      }
      if (task.size > small.documentBytes) return parseAlone(task, gone);
      const outcome = await parseBatched(task);
      if ('error' in outcome) throw new Error(outcome.error);
      return outcome;
    },
    diff: withComponents<DiffTask, DiffOutcome>('diff-component-sets'),
    paths: withDocument<PathsTask, DependencyPaths[] | null>('find-paths'),
    dependencyLevel: withDocument<LevelTask, DependencyLevel | null>('read-level'),
    judgeLicences: withComponents<JudgeLicencesTask, LicenseJudgement>('judge-licences'),
    indexLicences: withComponents('index-licences'),
    readVex: (task) => someAtATime.runExclusive(() => run<ReadVexResult>('read-vex', task)),
    describeSbom: withDocument<DescribeSbomTask, SbomIdentity>('describe-sbom'),
    readEmbeddedVex: withDocument<ReadEmbeddedVexTask, EmbeddedVex>('read-embedded-vex'),
    matchVex: withDocument<MatchVexTask, StatementMatch[]>('match-vex'),
    close: () => pool.close(),
  };
}

/** The compiled worker: beside this file, or in `dist` when running from source. */
function workerFile(name: string): string {
  const folder = path.basename(path.resolve(__dirname, '..')) === 'src' ? '../../dist/worker' : '.';
  return path.resolve(__dirname, folder, `${name}.js`);
}
