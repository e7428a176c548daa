import { AppError } from '@bomtrail/messages';
import { Router, type Request, type RequestHandler, type Response } from 'express';
import type { PageFile, PageFiles } from './page-files';
import { webPagePolicy } from './page-policy';
import { isPageAddress } from './page-routes';

/** Hashed names: what a name stands for never changes. */
const forever = 'public, max-age=31536000, immutable';

/**
 * Serves the page without a key: its files below `/assets/`, and `index.html` for the addresses of
 * its views. Only a `GET` that prefers HTML gets it: a client of the API is told in JSON that there
 * is nothing.
 */
export function servePage({ index, assets }: PageFiles): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/assets/:name', (request, response) => {
    const file = assets.get(request.params['name'] ?? '');
    if (!file) throw new AppError('not_found');
    response.set('Cache-Control', forever);
    sendFile(request, response, file);
  });
  router.use((request, response, next) => {
    if (!isPageAddress(request.path)) return next();
    response.vary('Accept');
    if (!isRead(request) || !wantsHtml(request)) return next();
    sendPage(request, response, index);
  });
  return router;
}

/**
 * Sends the page with 404 to a browser that asks for an address of nothing, such as a mistyped one:
 * the page says so, with its menu. After all other routes.
 */
export function servePageForUnknown({ index }: PageFiles): RequestHandler {
  return (request, response, next) => {
    const isOther = /^\/(?:api|assets)(?:\/|$)/.test(request.path);
    if (isOther || !isRead(request) || !wantsHtml(request)) return next();
    sendPage(request, response.status(404), index);
  };
}

function sendPage(request: Request, response: Response, index: PageFile): void {
  response.set({ 'Cache-Control': 'no-cache', 'Content-Security-Policy': webPagePolicy });
  sendFile(request, response, index);
}

function isRead({ method }: Request): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** A bare wildcard is not enough: programs send it. */
function wantsHtml({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.accept ?? '');
}

function sendFile(request: Request, response: Response, file: PageFile): void {
  response.vary('Accept-Encoding').type(file.type);
  if (request.acceptsEncodings('gzip', 'identity') === 'gzip') {
    response.set('Content-Encoding', 'gzip').send(file.gzipped);
  } else response.send(file.plain);
}
