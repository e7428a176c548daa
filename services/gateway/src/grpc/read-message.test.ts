import { EventEmitter } from 'node:events';
import { readMessage } from './read-message';

type Incoming = Parameters<typeof readMessage>[0];

test('who has ended is not read from any more', async () => {
  const call = new EventEmitter();
  const ended = new AbortController();
  const reading = readMessage(call as unknown as Incoming, ended.signal);
  ended.abort(new Error('gone'));
  await expect(reading).rejects.toThrow('gone');
  const before = new EventEmitter();
  await expect(readMessage(before as unknown as Incoming, ended.signal)).rejects.toThrow('gone');
  expect(before.eventNames()).toEqual([]);
});
