import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDatedAhead } from '../../domain/dated-ahead';
import { pagesOf } from '../../domain/pages';
import { overlapMs, readCursor, writeCursor, type HttpCursor } from './http-cursor';
import { getFile, httpBase, Unreachable, type HttpBase, type HttpOptions } from './http-get';
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

/** Above this number of new records the zip is downloaded instead. */
const recordsAtOnce = 500;
/** Limit of single downloads when the zip does not contain the records yet. */
const maxRecords = 10_000;
/** Ids in one database query. */
const recordsPerRead = 5_000;

export interface HttpSourceOptions {
  http: HttpOptions;
  /** Interval of full polls: only the zip shows removed records. */
  fullIntervalMs: number;
}

/** The poll of one ecosystem. */
interface PartPoll {
  base: HttpBase;
  /** Path of the ecosystem below the base. */
  folder: string;
  label: string;
  known: KnownEdition;
  startedAt: number;
  signal: AbortSignal;
}

/**
 * Source with OSV's public layout: `<base>/<ecosystem>/all.zip`, `modified_id.csv` and one
 * `<id>.json` per record. The zip is loaded first. Later polls read the list if it changed and
 * download the missing records. The zip is polled again at intervals because the list does not show
 * removed records. Without a list only the zip is polled, conditionally. Source:
 * https://google.github.io/osv.dev/data/ "Data dumps".
 */
export function createHttpSource(
  configured: string,
  options: HttpSourceOptions,
): Extract<FeedSource, { kind: 'on demand' }> {
  const base = httpBase(configured, options.http);
  return {
    kind: 'on demand',
    origin: base.url,
    only(ecosystems) {
      // An unreachable server is not tried again for the other ecosystems.
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
  // Without a list only the zip counts; a due poll has already requested it.
  if (listed === 'absent') return isDue ? 'unchanged' : openWhole(poll, cursor.zip);
  if (listed === 'unchanged') return isDue ? openRecords(poll, cursor, { ids: [] }) : 'unchanged';
  return openListed(poll, cursor, { ...listed, isZipKnown: isDue });
}

/** Loads listed records that are not stored: one by one, or by the zip when there are many. */
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
  // A time in the future would hide everything listed until then.
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
  // Unreadable records may have been corrected although the list did not change.
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
      const known = one?.labels.includes(poll.label) ? Date.parse(one.modified) : null;
      if (known === null || known < modified || isCorrected(known, modified, poll.startedAt))
        missing.add(id);
    }
  }
  return [...missing];
}

/** Whether a stored record dated ahead is listed with another time. */
function isCorrected(stored: number, listed: number, now: number): boolean {
  return isDatedAhead(stored, now) && stored !== listed;
}

/** @param wanted.next cursor fields once all records are downloaded */
async function openRecords(
  poll: PartPoll,
  cursor: HttpCursor,
  wanted: { ids: string[]; next?: Pick<HttpCursor, 'list' | 'since'> },
): Promise<Edition> {
  const { base, folder, signal } = poll;
  const { ids } = wanted;
  const fetched = await fetchRecords(base, { folder, ids }, signal);
  // Records that failed are listed and requested again.
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
      // A time in the future would hide everything listed until then.
      const exportedAt = Math.min(head.lastModified?.getTime() ?? startedAt, startedAt);
      const completeUpTo = exportedAt - overlapMs;
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

/** Bounds the disk usage of a faulty server. */
async function* boundedZip(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const bytes of body) {
    size += bytes.length;
    if (size > maxZipBytes) throw new Error(`all.zip has more than ${maxZipBytes} bytes`);
    yield bytes;
  }
}
