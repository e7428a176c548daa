import * as messages from '@bomtrail/messages';
import { answers, handles, type RpcTransport } from '@bomtrail/messaging';
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
    answers(messages.listDeadLetters, (body) => listDeadLetters(deps, body)),
    answers(messages.readDeadLetter, ({ id }) => readDeadLetter(deps, id)),
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
