import { AppError } from '@bomtrail/messages';
import type { RequestHandler } from 'express';

/** `GET` of it is answered by the host metrics collector, to which the proxy in front passes it. */
export const hostMetricsPath = '/metrics';

/** What the proxy does not pass to the collector comes here: another method, or a `GET` past the proxy. */
export const refuseOtherMethods: RequestHandler = ({ method }, response) => {
  if (method === 'GET' || method === 'HEAD') throw new AppError('not_found');
  response.set('Allow', 'GET, HEAD, OPTIONS');
  if (method !== 'OPTIONS') throw new AppError('method_not_allowed');
  response.status(204).end();
};
