import type { Contract } from '@bomtrail/api-contract';
import { AppError } from '@bomtrail/messages';
import type { Logger } from '@bomtrail/telemetry';
import compression from 'compression';
import express, { type ErrorRequestHandler, type Express } from 'express';
import type { AuditTrail } from '../audit/audit-calls';
import type { CheckCallerDeps } from '../access/check-caller';
import { isOutcome } from '../shared/http-error';
import { apiPage } from './api-page';
import { authenticate } from './authenticate';
import type { Routes } from './call';
import { noteClient } from './client-on';
import { announceRemoval } from './deprecation';
import { sendError } from './errors';
import { failedRequest, logException } from './exception-log';
import { isHangUp } from './hang-up';
import { parseQuery } from './parse-query';
import { leftoverBody } from './leftover-body';
import { queryNames } from './query-names';
import { readablePath } from './readable-path';
import { requestContext, type RequestContextDeps } from './request-context';
import { requiredHost } from './required-host';
import { hostMetricsPath, refuseOtherMethods } from './host-metrics-path';
import { contractRouter } from './router';
import { secureResponses } from './security-headers';
import { signInRoutes, type SignInDeps } from '../sign-in/routes';
import { servePage, servePageForUnknown } from '../web/routes';
import type { PageFiles } from '../web/page-files';

export interface AppDeps extends CheckCallerDeps, RequestContextDeps {
  log: Logger;
  contract: Contract;
  trail: AuditTrail;
  routes: Routes;
  /** Number of trusted proxies in front. */
  proxyHops: number;
  /** See `secureResponses`. */
  hstsSeconds: number;
  /** undefined: people cannot sign in on the page. */
  signIn: SignInDeps | undefined;
  /** undefined: not served. */
  page: PageFiles | undefined;
}

/** The REST API: all middleware in order. */
export function createApp(deps: AppDeps): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('query parser', parseQuery);
  app.use(secureResponses(deps.hstsSeconds), noteClient(deps.proxyHops));
  app.use(requestContext(deps), requiredHost, leftoverBody, readablePath);
  // Before compression: its large static files need no key and must not be compressed for each
  // request.
  app.use(apiPage());
  if (deps.signIn) app.use(signInRoutes(deps.signIn));
  if (deps.page) app.use(servePage(deps.page));
  app.use(compression());
  app.use(announceRemoval(deps.contract.operations));
  app.use('/api/v1', authenticate(deps));
  app.use(contractRouter(deps));
  app.all(hostMetricsPath, refuseOtherMethods);
  if (deps.page) app.use(servePageForUnknown(deps.page));
  app.use(() => {
    throw new AppError('not_found');
  });
  app.use(respondWithErrors(deps));
  return app;
}

function respondWithErrors({ log, contract }: AppDeps): ErrorRequestHandler {
  const known = queryNames(contract.document);
  // Express recognises an error handler by its four parameters.
  // oxlint-disable-next-line max-params
  return (error: unknown, request, response, next) => {
    void next;
    const expected = isOutcome(error) || (request.socket.destroyed && isHangUp(error));
    if (!expected) logException(log, error, failedRequest(request, known));
    if (request.socket.destroyed) return;
    // A started response is aborted, so that it does not look complete.
    if (response.headersSent) request.socket.destroy();
    else sendError(response, error);
  };
}
