import { AppError } from '@bomtrail/messages';
import type { Request } from 'express';

/**
 * @throws AppError `unsupported_media_type` unless the body has this type and, if declared, charset
 * UTF-8
 */
export function expectMediaType(request: Request, wanted: string): void {
  const [type = '', ...parameters] = (request.headers['content-type'] ?? '').split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]+)"?\s*$/i.exec(parameter)?.[1])
    .find((value) => value !== undefined);
  const isUtf8 = charset === undefined || /^utf-?8$/i.test(charset);
  if (type.trim().toLowerCase() === wanted && isUtf8) return;
  throw new AppError('unsupported_media_type', `Send the body as ${wanted}, in UTF-8.`);
}

/** Whether the body is gzip'd. @throws AppError `unsupported_media_type` for another coding */
export function isGzipCoded(request: Request): boolean {
  const coding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding === 'gzip' || coding === 'x-gzip') return true;
  if (coding === 'identity' || coding === '') return false;
  throw new AppError('unsupported_media_type', 'The only accepted content coding is gzip.');
}
