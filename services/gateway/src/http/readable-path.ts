import type { RequestHandler } from 'express';

/**
 * A path with a broken percent-encoding (`%zz`) is taken literally: what stands there is then an
 * identifier that is none (422) or a path that does not exist (404), not a failure.
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
