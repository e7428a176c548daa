export { listen, openHttpServer, requestTimeoutMs, type HttpServer } from './http-server';
export { boundLeftoverBody } from './leftover-body';
export { securityHeaders } from './security-headers';
