import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pagesOf } from '../domain/pages';
import { overlapMs, readCursor, writeCursor, type HttpCursor } from './http-cursor';
import { getFile, httpBase, Unreachable, type HttpBase, type HttpTimeouts } from './http-get';
import { fetchRecords } from './http-records';
import { readModifiedList, type ModifiedRecords } from './modified-list';
import {
  maxZipBytes,
  type Edition,
  type FeedSource,
  type KnownEdition,
  type Opened,
} from './source';
import { makeTemporaryFolder } from './temporary-folder';
import { advisoryFiles, openAdvisoryZip } from './zip-archive';

/** Above so many new records the zip is one request instead of many. */
const recordsAtOnce = 500;
/** So many are fetched one by one where the zip does not have them yet. */
const maxRecords = 10_000;
/** Ids in one question to the database. */
const recordsPerRead = 5_000;

export interface HttpSourceOptions {
  timeouts: HttpTimeouts;
  /** Time after which the zip is looked at again: only it tells what has gone. */
  fullIntervalMs: number;
}

/** A look at one ecosystem's part on its way. */
interface PartPoll {
  base: HttpBase;
  /** The path of the ecosystem below the base. */
  folder: string;
  label: string;
  known: KnownEdition;
  startedAt: number;
  signal: AbortSignal;
}

/**
 * OSV's public layout over HTTP: `<base>/<ecosystem>/all.zip`, beside it `modified_id.csv` and each
 * record as `<id>.json`. The zip is taken first; later looks read the list, under the condition that
 * it has changed, and fetch the records that are not held. From time to time the zip is looked at
 * again, because the list does not tell which records have gone. A server without such a list is
 * asked for the zip, under its condition. Source: https://google.github.io/osv.dev/data/ "Data dumps".
 */
export function createHttpSource(
  configured: string,
  options: HttpSourceOptions,
): Extract<FeedSource, { kind: 'on demand' }> {
  const base = httpBase(configured, options.timeouts);
  return {
    kind: 'on demand',
    origin: base.url,
    only(ecosystems) {
      // Who does not answer for one ecosystem is not waited for again for each of the others.
      let silent: Unreachable | null = null;
      return {
        origin: base.url,
        isLive: true,
        list: async () =>
          ecosystems.map((ecosystem) => ({
            label: ecosystem,
            covers: [ecosystem],
            async open(known, signal) {
              if (silent) throw silent;
              const folder = `/${encodeURIComponent(ecosystem)}`;
              const poll = { base, folder, label: ecosystem, known, signal, startedAt: Date.now() };
              try {
                return await openPart(poll, options.fullIntervalMs);
              } catch (error) {
                if (error instanceof Unreachable) silent = error;
                throw error;
              }
            },
          })),
      };
    },
  };
}

async function openPart(poll: PartPoll, fullIntervalMs: number): Promise<Opened> {
  const stored = readCursor(poll.known.fingerprint);
  if (stored === null) return openWhole(poll, null);
  let cursor = stored;
  const isDue = poll.startedAt - stored.fullAt >= fullIntervalMs;
  if (isDue) {
    const whole = await openWhole(poll, stored.zip);
    if (whole !== 'unchanged') return whole;
    cursor = { ...stored, fullAt: poll.startedAt };
  }
  const listed = await readList(poll, cursor);
  // Without a list the zip is all there is; it was asked for already when it was due.
  if (listed === 'absent') return isDue ? 'unchanged' : openWhole(poll, cursor.zip);
  if (listed === 'unchanged') return isDue ? openRecords(poll, cursor, { ids: [] }) : 'unchanged';
  return openListed(poll, cursor, { ...listed, isZipKnown: isDue });
}

/** What the list names and is not held: record by record, or by the zip when there is much of it. */
async function openListed(
  poll: PartPoll,
  cursor: HttpCursor,
  listed: Listed & { isZipKnown: boolean },
): Promise<Opened> {
  if (listed.newest === null) throw new Error(`${poll.folder}/modified_id.csv names no record`);
  const ids = await findMissing(poll, listed);
  if (ids.length > recordsAtOnce || !listed.isComplete) {
    const whole = listed.isZipKnown ? 'unchanged' : await openWhole(poll, cursor.zip);
    if (whole !== 'unchanged') return whole;
    if (ids.length > maxRecords || !listed.isComplete)
      throw new Error(
        `${poll.folder}/modified_id.csv names ${ids.length} records or more that all.zip does not have yet`,
      );
  }
  // A time that is still to come would hide everything that is listed until then.
  const newest = Math.min(listed.newest, poll.startedAt);
  const since = Math.max(cursor.since, newest - overlapMs);
  return openRecords(poll, cursor, { ids, next: { list: listed.fingerprint, since } });
}

interface Listed extends ModifiedRecords {
  fingerprint: string | null;
}

async function readList(
  poll: PartPoll,
  cursor: HttpCursor,
): Promise<Listed | 'unchanged' | 'absent'> {
  const { base, folder, signal, known } = poll;
  // A record that could not be read may be readable now though the list is the same.
  const list = known.hasUnread ? null : cursor.list;
  return getFile(
    base,
    { path: `${folder}/modified_id.csv`, known: list, signal },
    async (body, { fingerprint }) => ({
      ...(await readModifiedList(body, cursor.since)),
      fingerprint,
    }),
  );
}

async function findMissing(poll: PartPoll, { records }: ModifiedRecords): Promise<string[]> {
  const missing = new Set<string>();
  for (const page of pagesOf(records, { items: recordsPerRead })) {
    const stored = await poll.known.findHeaders(page.map(({ id }) => id));
    for (const { id, modified } of page) {
      const one = stored.get(id);
      if (!one?.labels.includes(poll.label) || Date.parse(one.modified) < modified) missing.add(id);
    }
  }
  return [...missing];
}

/** @param wanted.next what is known of the list once all of them are had */
async function openRecords(
  poll: PartPoll,
  cursor: HttpCursor,
  wanted: { ids: string[]; next?: Pick<HttpCursor, 'list' | 'since'> },
): Promise<Edition> {
  const { base, folder, signal } = poll;
  const { ids } = wanted;
  const fetched = await fetchRecords(base, { folder, ids }, signal);
  // What could not be had is to be listed again, and asked for again.
  const next = fetched.isDamaged ? { list: null } : wanted.next;
  return {
    fingerprint: writeCursor({ ...cursor, ...next }),
    count: ids.length,
    asOf: new Date(poll.startedAt),
    increment: ids,
    completeUpTo: null,
    files: () => fetched.files(),
    close: () => fetched.close(),
  };
}

async function openWhole(poll: PartPoll, zipKnown: string | null): Promise<Opened> {
  const { base, signal, startedAt } = poll;
  const request = { path: `${poll.folder}/all.zip`, known: zipKnown, signal };
  return getFile(base, request, async (body, head) => {
    const disk = await makeTemporaryFolder();
    const discard = () => rm(disk, { recursive: true, force: true });
    try {
      const file = join(disk, 'all.zip');
      await pipeline(Readable.from(boundedZip(body)), createWriteStream(file));
      const zip = await openAdvisoryZip(file);
      const completeUpTo = (head.lastModified?.getTime() ?? startedAt) - overlapMs;
      const cursor = { zip: head.fingerprint, list: null, since: completeUpTo, fullAt: startedAt };
      return {
        fingerprint: writeCursor(cursor),
        count: zip.count,
        asOf: new Date(startedAt),
        increment: null,
        completeUpTo: new Date(completeUpTo),
        files: () => advisoryFiles(zip, null),
        close: async () => {
          await zip.close();
          await discard();
        },
      };
    } catch (error) {
      await discard();
      throw error;
    }
  });
}

/** A server that sends without end would fill the disk. */
async function* boundedZip(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    if (size > maxZipBytes) throw new Error(`all.zip has more than ${maxZipBytes} bytes`);
    yield bytes;
  }
}
