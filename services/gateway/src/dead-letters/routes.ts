import * as messages from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { json, nothing, route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';

interface LettersQuery {
  consumer?: string;
  after: number;
  per_page: number;
}
type OneLetter = { path: { dead_letter_id: number } };

/** The dead letters of the bus, for administrators. */
export function deadLetterRoutes({ request }: { request: Request }): Routes {
  return {
    listDeadLetters: route<{ query: LettersQuery }>({
      receive: receiveNothing,
      handle: async ({ query: { consumer = null, after, per_page: limit } }) => {
        const asked = { consumer, after, limit };
        const { items, has_more, consumers } = (await request(messages.listDeadLetters, asked))
          .body;
        const total = consumers
          .filter((one) => consumer === null || one.consumer === consumer)
          .reduce((sum, { letters }) => sum + letters, 0);
        return json({ items, total, has_more, consumers });
      },
    }),
    getDeadLetter: route<OneLetter>({
      receive: receiveNothing,
      handle: async ({ path: { dead_letter_id: id } }) => {
        const { letter, message, base64 } = (await request(messages.readDeadLetter, { id })).body;
        return json({ ...letter, message, base64 });
      },
    }),
    replayDeadLetter: route<OneLetter>({
      receive: receiveNothing,
      handle: async ({ path: { dead_letter_id: id } }) => {
        await request(messages.replayDeadLetter, { id });
        return nothing;
      },
    }),
    deleteDeadLetter: route<OneLetter>({
      receive: receiveNothing,
      handle: async ({ path: { dead_letter_id: id } }) => {
        await request(messages.deleteDeadLetter, { id });
        return nothing;
      },
    }),
  };
}
