import { AppError } from '@bomtrail/messages';
import type { Request, Response } from 'express';
import multer, { MulterError } from 'multer';
import { Duplex, type Writable } from 'node:stream';
import { isNativeError } from 'node:util/types';
import { isGzipCoded } from '../media-type';
import { unpackGzip } from '../../uploads/unpack-gzip';
import { receiveFile } from '../../uploads/receive-file';
import type { ReceivedFile, ReceiveFileOptions } from '../../uploads/received-file';

export interface ReadFormOptions extends ReceiveFileOptions {
  /** Aborts when the client is too slow, with the error to throw. */
  tooSlow: AbortSignal;
}

/** A multipart body: text fields, the first `file` part, and the number of `file` parts. */
export interface UploadForm {
  /** An array if repeated. */
  fields: Record<string, string | string[] | undefined>;
  file: ReceivedFile | null;
  fileCount: number;
}

const fileField = 'file';
/** Limits of ignored fields and parts, to bound memory. */
const limits = { fields: 100, fieldSize: 256 * 1024, fieldNameSize: 256, parts: 1000 };
/** Allowance for fields and ignored parts in a form that is gzip'd as a whole. */
const roomAroundFile = 64 * 1024 * 1024;

/**
 * Reads a multipart body with parts in any order; a large file goes to disk. Rejects at the first
 * error without reading the rest, and leaves no file behind.
 *
 * @throws AppError `malformed_multipart`, `malformed_body`, `unsupported_media_type`,
 * `payload_too_large`
 */
export async function readForm(request: Request, options: ReadFormOptions): Promise<UploadForm> {
  const reading: Reading = { fileCount: 0, received: null, streams: [] };
  const packed = isGzipCoded(request);
  try {
    await parse(request, { reading, packed, options });
    // The parser ignores types that it cannot read, such as one with an empty boundary.
    if (request.body === undefined) throw noBoundary();
    const { fileCount, received } = reading;
    return { fields: { ...(request.body as object) }, file: await received, fileCount };
  } catch (error) {
    for (const stream of reading.streams) stream.destroy();
    throw asOutcome(await withdraw(reading.received, error));
  }
}

/**
 * Removes the file. Returns the file's own error if there is one, since the parser's error only
 * follows from it.
 */
async function withdraw(received: Promise<ReceivedFile> | null, error: unknown): Promise<unknown> {
  try {
    await (await received)?.dispose();
    return error;
  } catch (fileError) {
    return fileError instanceof AppError ? fileError : error;
  }
}

/** State of reading one form. */
interface Reading {
  fileCount: number;
  received: Promise<ReceivedFile> | null;
  /** To destroy on errors. */
  streams: { destroy(): void }[];
}

function parse(
  request: Request,
  { reading, packed, options }: { reading: Reading; packed: boolean; options: ReadFormOptions },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const { tooSlow } = options;
    tooSlow.addEventListener('abort', () => reject(tooSlow.reason as Error), { once: true });
    const parser = multer({
      limits,
      fileFilter: (_request, { fieldname }, accept) => {
        if (fieldname === fileField) reading.fileCount += 1;
        accept(null, fieldname === fileField && reading.fileCount === 1);
      },
      storage: {
        _handleFile: (_request, file, done) => {
          const received = receiveFile(file.stream, options);
          reading.received = received;
          reading.streams.push(file.stream);
          received.then(
            ({ size }) => done(null, { size }),
            (error: unknown) => {
              reject(error as Error);
              done(error);
            },
          );
        },
        // The file is disposed of where the form is abandoned.
        _removeFile: (_request, _file, done) => done(null),
      },
      streamHandler: (_request: Request, busboy: Writable) => {
        busboy.on('error', reject);
        if (!packed) request.pipe(busboy);
        else {
          const maxBytes = options.maxBytes + roomAroundFile;
          reading.streams.push(feedUnpacked(request, busboy, { maxBytes, reject }));
        }
      },
    } as multer.Options).any();
    parser(request, {} as Response, (error: unknown) => {
      if (error) reject(error as Error);
      else resolve();
    });
  });
}

/**
 * Unpacks a gzip'd body; a body that is wrongly declared as gzip is read as it is, since some
 * clients mean the file. Limited as a whole: a few MB can unpack to many GB of ignored parts, and a
 * received body is never too slow.
 */
function feedUnpacked(
  request: Request,
  busboy: Writable,
  { maxBytes, reject }: { maxBytes: number; reject: (error: Error) => void },
): Duplex {
  async function* unpacked(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let size = 0;
    for await (const chunk of unpackGzip(packed)) {
      size += chunk.length;
      if (size > maxBytes) {
        throw new AppError('payload_too_large', `The form is larger than ${maxBytes} bytes.`);
      }
      yield chunk;
    }
  }
  const unpacking = Duplex.from(unpacked) as Duplex;
  unpacking.on('error', (error) => {
    reject(error);
    request.unpipe(unpacking);
    busboy.destroy(error);
  });
  request.pipe(unpacking).pipe(busboy);
  return unpacking;
}

function noBoundary(): AppError {
  return new AppError('malformed_multipart', 'The Content-Type of the body names no boundary.');
}

/** Maps parser errors: a broken multipart body, or too large fields. */
function asOutcome(error: unknown): unknown {
  if (error instanceof AppError) return error;
  if (error instanceof MulterError && error.code.startsWith('LIMIT_')) {
    return new AppError(
      'payload_too_large',
      'The form has more or larger fields than this server accepts.',
    );
  }
  if (error instanceof MulterError) return new AppError('malformed_multipart', error.message);
  // Parser errors are plain errors; a full disk or a bug is not the client's fault.
  const isParserError = isNativeError(error) && error.name === 'Error' && !('syscall' in error);
  return isParserError ? new AppError('malformed_multipart') : error;
}
