import type { RequestHandler } from 'express';

/**
 * Takes a broken percent-encoding (`%zz`) literally, so that the path is an invalid identifier
 * (422) or unknown (404) instead of an error.
 */
export const readablePath: RequestHandler = (request, _response, next) => {
  const [path = '', ...query] = request.url.split('?');
  if (!isDecodable(path)) request.url = [path.replaceAll('%', '%25'), ...query].join('?');
  next();
};

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
