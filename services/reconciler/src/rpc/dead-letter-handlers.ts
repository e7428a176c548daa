import * as messages from '@bomtrail/messages';
import { handles, type RpcTransport } from '@bomtrail/messaging';
import {
  deleteDeadLetter,
  listDeadLetters,
  readDeadLetter,
  replayDeadLetter,
  type DeadLetterDeps,
} from '../dead-letters/manage-dead-letters';

/** The dead letters of all services. */
export function deadLetterHandlers(deps: DeadLetterDeps): RpcTransport[] {
  return [
    handles(messages.listDeadLetters, async (body) => ({
      body: await listDeadLetters(deps, body),
    })),
    handles(messages.readDeadLetter, async ({ id }) => ({ body: await readDeadLetter(deps, id) })),
    handles(messages.replayDeadLetter, async ({ id }) => {
      await replayDeadLetter(deps, id);
      return { body: { replayed: true } };
    }),
    handles(messages.deleteDeadLetter, async ({ id }) => {
      await deleteDeadLetter(deps, id);
      return { body: { deleted: true } };
    }),
  ];
}
