import { z } from 'zod';
import { rpc, type ServiceName } from '../define';

/** Is one process of this service there and connected? */
export function pingOf(service: ServiceName) {
  return rpc<{ ready: true }>()({
    service,
    name: 'ping.v1',
    request: z.object({}),
    timeoutMs: 1000,
  });
}
