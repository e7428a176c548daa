import { createWriteStream } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { getFile, HttpStatusError, type HttpBase } from './http-get';
import { maxFileBytes, type FeedFile } from './source';
import { makeTemporaryFolder } from './temporary-folder';

const atOnce = 8;
/** Up to this many rejected requests count as bad records; more fail the part. */
const maxRejected = 10;

/** Downloaded records in temporary files. */
export interface FetchedRecords {
  files(): AsyncIterable<FeedFile>;
  /** Whether some records could not be downloaded. */
  isDamaged: boolean;
  close(): Promise<void>;
}

/**
 * Downloads `<folder>/<id>.json` for each id, several at once. Missing and too large records, and a
 * few with other error statuses, become damaged files; any other failure rejects.
 *
 * @param wanted `folder`: path of the ecosystem below the base
 */
export async function fetchRecords(
  base: HttpBase,
  wanted: { folder: string; ids: readonly string[] },
  signal: AbortSignal,
): Promise<FetchedRecords> {
  const disk = await makeTemporaryFolder();
  const close = () => rm(disk, { recursive: true, force: true });
  const giveUp = new AbortController();
  const until = AbortSignal.any([signal, giveUp.signal]);
  const damaged = new Map<string, string>();
  const left = wanted.ids.entries();
  let rejected = 0;
  const fileOf = (index: number) => join(disk, `${index}.json`);

  async function fetchSome(): Promise<void> {
    for (const [index, id] of left) {
      const path = `${wanted.folder}/${encodeURIComponent(id)}.json`;
      const request = { path, known: null, signal: until };
      const got = await getFile(base, request, (body) => store(body, fileOf(index))).catch(
        (error: unknown) => rejectRecord(id, error),
      );
      if (got === 'absent') damaged.set(id, 'the server does not have it (status 404)');
      if (got === 'too large') damaged.set(id, 'the file is too large');
    }
  }

  /** Skips a rejected record, unless there are too many. */
  function rejectRecord(id: string, error: unknown): 'rejected' {
    rejected += 1;
    if (
      !(error instanceof HttpStatusError) ||
      rejected > Math.min(maxRejected, wanted.ids.length - 1)
    )
      throw error;
    damaged.set(id, error.message);
    return 'rejected';
  }

  try {
    const some = Array.from({ length: atOnce }, () =>
      fetchSome().catch((error: unknown) => {
        giveUp.abort(error);
        throw error;
      }),
    );
    const ended = await Promise.allSettled(some);
    signal.throwIfAborted();
    if (giveUp.signal.aborted) throw giveUp.signal.reason as Error;
    if (ended.some(({ status }) => status === 'rejected'))
      throw new Error('the records could not be downloaded');
  } catch (error) {
    await close();
    throw error;
  }
  return {
    async *files() {
      for (const [index, id] of wanted.ids.entries()) {
        yield { name: `${id}.json`, read: () => readOne(fileOf(index), damaged.get(id)) };
      }
    },
    isDamaged: damaged.size > 0,
    close,
  };
}

async function store(
  body: AsyncIterable<Uint8Array>,
  file: string,
): Promise<'stored' | 'too large'> {
  let size = 0;
  let isTooLarge = false;
  async function* bounded(): AsyncIterable<Uint8Array> {
    for await (const piece of body) {
      size += piece.byteLength;
      isTooLarge = size > maxFileBytes;
      if (isTooLarge) return;
      yield piece;
    }
  }
  await pipeline(Readable.from(bounded()), createWriteStream(file));
  return isTooLarge ? 'too large' : 'stored';
}

async function readOne(file: string, problem: string | undefined): Promise<Buffer> {
  if (problem !== undefined) throw new Error(problem);
  return readFile(file);
}
