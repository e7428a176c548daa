import { z } from 'zod';
import type { BroadcastDefinition } from '../define';

/**
 * Broadcast: many uploads wait for their response at a gateway on this host. Sent repeatedly while
 * that lasts, at most every 100 ms. Whoever processes accepted uploads on the same host lets them
 * go first; on another host there is nothing to share.
 */
export const uploadsWaiting: BroadcastDefinition<{ host: string }> = {
  subject: 'broadcast.uploads-waiting.v1',
  publishers: ['gateway'],
  listeners: ['scanner', 'reconciler'],
  payload: z.object({ host: z.string().min(1).max(255) }),
};
