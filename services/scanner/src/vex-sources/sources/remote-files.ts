import { maxVexBytes } from '@bomtrail/messages';
import { getFile, httpBase, type HttpBase, type HttpOptions } from '../../feeds/sources/http-get';
import type { ReadDocument } from '../ports';

/** Largest document, in bytes: as large as one that is imported may be. */
export const maxDocumentBytes = maxVexBytes;
/** Largest list, in bytes: some hundred bytes for each of 100,000 documents. */
export const maxListBytes = 64 * 1024 * 1024;

/** The files of a server. */
export interface RemoteFiles {
  /** Reads a file below the server's root, at most so large; `path` begins with a slash. */
  read(
    path: string,
    known: string | null,
    limits: { most: number; signal: AbortSignal },
  ): Promise<ReadDocument | 'unchanged' | 'absent'>;
  /**
   * The path of an address, relative to a path of this server.
   *
   * @throws Error if it is on another server: credentials and trust are those of the configured one
   */
  pathOf(address: string, from: string): string;
}

/** @returns the files, and the path that is configured */
export function remoteFiles(
  address: string,
  http: HttpOptions,
): { files: RemoteFiles; path: string } {
  const whole = httpBase(address, http, 'BOMTRAIL_VEX_SOURCES');
  const { origin, pathname } = new URL(whole.url);
  const base: HttpBase = { ...whole, url: origin };
  return {
    path: pathname,
    files: {
      read: (path, known, { most, signal }) =>
        getFile(base, { path, known, signal }, async (body, { fingerprint }) => ({
          content: await bounded(body, most),
          fingerprint,
        })),
      pathOf(text, from) {
        const found = URL.canParse(text, `${origin}${from}`) && new URL(text, `${origin}${from}`);
        if (!found) throw new Error(`it names ${JSON.stringify(text.slice(0, 200))}, no address`);
        if (found.origin !== origin)
          throw new Error(`it names files of ${found.host}: configure an address of that server`);
        return found.pathname + found.search;
      },
    },
  };
}

/** The rest of a larger body is not read. */
async function bounded(
  body: AsyncIterable<Uint8Array>,
  most: number,
): Promise<Buffer | 'too_large'> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.byteLength;
    if (size > most) return 'too_large';
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Parses a list. @throws Error with what is wrong, such as an HTML page in its place */
export function parseList(text: string, name: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Error(`${name} is not JSON`);
  }
}

/** The text of a list. @throws Error if it is too large: nothing is known about the documents then */
export function listText(content: ReadDocument['content'], name: string): string {
  if (content === 'too_large') throw new Error(`${name} has more than ${maxListBytes} bytes`);
  return content.toString('utf8');
}
