import { securityHeaders } from '@bomtrail/http-edge';
import type { RequestHandler } from 'express';

/** The API page runs its own scripts and calls this server. Its library adds inline styles. */
export const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * @param hstsSeconds max-age of Strict-Transport-Security, if a proxy in front terminates TLS; 0:
 * not sent
 */
export function secureResponses(hstsSeconds: number): RequestHandler {
  const headers = new Map(Object.entries(securityHeaders));
  if (hstsSeconds > 0) headers.set('Strict-Transport-Security', `max-age=${hstsSeconds}`);
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}
