import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ClientHttp2Session } from 'node:http2';

/**
 * Destroys sessions once their parsers have returned. What follows the `await` of an answer still runs within the
 * parser that read it. To destroy its session there writes to memory that was freed (nodejs/node#64113).
 */
export async function destroySessions(sessions: Iterable<ClientHttp2Session>): Promise<void> {
  await nextTurn();
  for (const session of sessions) session.destroy();
}
