import { securityHeaders } from '@bomtrail/http-edge';
import type { RequestHandler } from 'express';

/** The API page runs its own scripts and asks this server. Its library writes styles into the page. */
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

/** @param hstsSeconds for how long browsers shall insist on TLS, which a proxy in front speaks; 0: not said */
export function secureResponses(hstsSeconds: number): RequestHandler {
  const headers = new Map(Object.entries(securityHeaders));
  if (hstsSeconds > 0) headers.set('Strict-Transport-Security', `max-age=${hstsSeconds}`);
  return (_request, response, next) => {
    response.setHeaders(headers);
    next();
  };
}
