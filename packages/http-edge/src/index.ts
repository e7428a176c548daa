export { addressGroup, plainAddress } from './address-group';
export {
  connectionsPerAddress,
  createConnectionCount,
  usualHttpConnections,
  type ConnectionLimits,
  type RefusedConnection,
} from './connection-limits';
export { listen, openHttpServer, requestTimeoutMs, type HttpServer } from './http-server';
export { boundLeftoverBody } from './leftover-body';
export { requestIdOf } from './request-id';
export { securityHeaders } from './security-headers';
