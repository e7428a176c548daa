import { AppError } from '@bomtrail/messages';
import type { RequestHandler } from 'express';

/** The proxy in front forwards `GET` of this path to the host metrics collector. */
export const hostMetricsPath = '/metrics';

/** Requests that bypass the collector: other methods, or a `GET` that bypasses the proxy. */
export const refuseOtherMethods: RequestHandler = ({ method }, response) => {
  if (method === 'GET' || method === 'HEAD') throw new AppError('not_found');
  response.set('Allow', 'GET, HEAD, OPTIONS');
  if (method !== 'OPTIONS') throw new AppError('method_not_allowed');
  response.status(204).end();
};
