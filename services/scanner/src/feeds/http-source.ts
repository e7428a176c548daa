import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import type { AdvisorySource, Edition, Opened } from './source';
import { makeTemporaryFolder } from './temporary-folder';
import { advisoryFiles, openZip } from './zip-archive';

/** Until the server answers, and at most between two pieces of the body. */
export interface HttpTimeouts {
  answerMs: number;
  stallMs: number;
}

export const httpTimeouts: HttpTimeouts = { answerMs: 20_000, stallMs: 30_000 };

/**
 * `<base>/<ecosystem>/all.zip` over HTTP, downloaded to a temporary file. The request is conditional
 * on the fingerprint of the edition at hand (ETag, else Last-Modified).
 */
export function createHttpSource(base: string, timeouts: HttpTimeouts): AdvisorySource {
  const root = base.replace(/\/+$/, '');
  return {
    origin: root,
    list: async () =>
      MATCHED_ECOSYSTEMS.map((ecosystem) => ({
        label: ecosystem,
        covers: [ecosystem],
        open: (known, signal) =>
          openRemote(`${root}/${encodeURIComponent(ecosystem)}/all.zip`, known, {
            signal,
            timeouts,
          }),
      })),
  };
}

async function openRemote(
  url: string,
  known: string | null,
  options: { signal: AbortSignal; timeouts: HttpTimeouts },
): Promise<Opened> {
  const watch = createWatch(options.signal);
  try {
    watch.expectWithin(options.timeouts.answerMs);
    const response = await fetch(url, { headers: conditionOf(known), signal: watch.signal });
    if (response.status === 304) {
      await response.body?.cancel();
      return 'unchanged';
    }
    if (response.status === 404) {
      await response.body?.cancel();
      return 'absent';
    }
    if (!response.ok || !response.body) {
      await response.body?.cancel();
      throw new Error(`the server answered with status ${response.status}`);
    }
    const fingerprint = fingerprintOf(response);
    if (fingerprint !== null && fingerprint === known) {
      await response.body.cancel();
      return 'unchanged';
    }
    return await download(response.body as ReadableStream<Uint8Array>, {
      fingerprint: fingerprint ?? '',
      watch,
      stallMs: options.timeouts.stallMs,
    });
  } catch (error) {
    throw new Error(reasonOf(url, error), { cause: error });
  } finally {
    watch.end();
  }
}

async function download(
  body: ReadableStream<Uint8Array>,
  options: { fingerprint: string; watch: Watch; stallMs: number },
): Promise<Edition> {
  const folder = await makeTemporaryFolder();
  try {
    const file = join(folder, 'all.zip');
    const watched = new Transform({
      transform(chunk, _encoding, done) {
        options.watch.expectWithin(options.stallMs);
        done(null, chunk);
      },
    });
    await pipeline(Readable.fromWeb(body), watched, createWriteStream(file));
    const zip = await openZip(file);
    return {
      fingerprint: options.fingerprint,
      count: zip.count,
      files: () => advisoryFiles(zip, null),
      close: async () => {
        await zip.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

const etagPrefix = 'etag ';
const timePrefix = 'modified ';

function fingerprintOf(response: Response): string | null {
  const etag = response.headers.get('etag');
  if (etag) return etagPrefix + etag;
  const modified = response.headers.get('last-modified');
  return modified ? timePrefix + modified : null;
}

function conditionOf(known: string | null): Record<string, string> {
  if (known?.startsWith(etagPrefix)) return { 'if-none-match': known.slice(etagPrefix.length) };
  if (known?.startsWith(timePrefix)) return { 'if-modified-since': known.slice(timePrefix.length) };
  return {};
}

function reasonOf(url: string, error: unknown): string {
  const { message, cause } = error as Error;
  const why = cause instanceof Error ? `${message}: ${cause.message}` : message;
  return `${new URL(url).host} could not be read: ${why}`;
}

/** Aborts when the caller does, or when nothing happens for too long. */
interface Watch {
  signal: AbortSignal;
  expectWithin(ms: number): void;
  end(): void;
}

function createWatch(outer: AbortSignal): Watch {
  const stalled = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  return {
    signal: AbortSignal.any([outer, stalled.signal]),
    expectWithin(ms) {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(new Error('it did not answer in time')), ms);
    },
    end: () => clearTimeout(timer),
  };
}
