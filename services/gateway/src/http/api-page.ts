import { AppError } from '@bomtrail/messages';
import { Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { pagePolicy } from './security-headers';

const path = '/api/docs';
/** Folder of the page's files. */
const assetPath = /^\/[\w.-]+$/;

/**
 * The interactive reference at `/api/docs`, without a key. Works without internet: all files are
 * local.
 */
export function apiPage(): Router {
  const options = {
    swaggerUrl: 'openapi.json',
    customSiteTitle: 'bomtrail API',
    // Disables the badge, which would send the document to an online validator.
    swaggerOptions: { validatorUrl: null },
  };
  const html = swaggerUi
    .generateHTML(undefined, options)
    // The page is outside of its asset folder.
    .replaceAll(/(src|href)="\.\//g, `$1="docs/`);
  const router = Router({ caseSensitive: true, strict: true });
  router.get(path, (_request, response) => {
    response.set('Content-Security-Policy', pagePolicy).type('html').send(html);
  });
  router.all(path, (request, response) => {
    response.set('Allow', 'GET, HEAD, OPTIONS');
    if (request.method !== 'OPTIONS') throw new AppError('method_not_allowed');
    response.status(204).end();
  });
  router.get(`${path}/`, (_request, response) => response.redirect(308, '../docs'));
  // The library would also serve other paths.
  router.use(path, (request, _response, next) => {
    if (!assetPath.test(request.path) || request.path === '/package.json') {
      throw new AppError('not_found');
    }
    next();
  });
  router.use(path, ...swaggerUi.serveFiles(undefined, options));
  return router;
}
