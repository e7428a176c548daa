import { AppError } from '@bomtrail/messages';
import { Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { pagePolicy } from './security-headers';

const path = '/api/docs';
/** The page's files lie in one folder. */
const assetPath = /^\/[\w.-]+$/;

/**
 * The interactive reference at `/api/docs`. All of its files come from here and it asks no one else:
 * it works without internet. No key is needed to read it.
 */
export function apiPage(): Router {
  const options = {
    swaggerUrl: 'openapi.json',
    customSiteTitle: 'bomtrail API',
    // The page's badge would send the document to a validator on the internet.
    swaggerOptions: { validatorUrl: null },
  };
  const html = swaggerUi
    .generateHTML(undefined, options)
    // The page stands beside its folder, not in it.
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
  // The library answers for some other paths by itself, and not as we do.
  router.use(path, (request, _response, next) => {
    if (!assetPath.test(request.path) || request.path === '/package.json') {
      throw new AppError('not_found');
    }
    next();
  });
  router.use(path, ...swaggerUi.serveFiles(undefined, options));
  return router;
}
