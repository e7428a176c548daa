import { z } from 'zod';
import { rpc, type ServiceName } from '../define';

/**
 * `stores`: false while NATS responds but stores nothing that this process publishes; absent:
 * unknown.
 */
export interface PingResponse {
  ready: true;
  stores?: boolean;
}

/** Checks that a process of this service is running and connected. */
export function pingOf(service: ServiceName) {
  return rpc<PingResponse>()({
    service,
    callers: service === 'gateway' ? [] : ['gateway'],
    name: 'ping.v1',
    request: z.object({}),
    timeoutMs: 1000,
  });
}
