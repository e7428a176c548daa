import { z } from 'zod';
import { rpc, type ServiceName } from '../define';

/** `stores`: false while NATS answers this process and stores nothing of what it publishes; absent: not known. */
export interface PingAnswer {
  ready: true;
  stores?: boolean;
}

/** Is one process of this service there and connected? */
export function pingOf(service: ServiceName) {
  return rpc<PingAnswer>()({
    service,
    name: 'ping.v1',
    request: z.object({}),
    timeoutMs: 1000,
  });
}
