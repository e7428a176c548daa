import { boundLeftoverBody } from '@bomtrail/http-edge';
import type { RequestHandler } from 'express';

/** See `boundLeftoverBody`. */
export const leftoverBody: RequestHandler = (request, response, next) => {
  boundLeftoverBody(request, response);
  next();
};
