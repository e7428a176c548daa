import { EventEmitter } from 'node:events';
import { CallEnded, endOf, withReceiveLimit } from './call-end';

type Ending = Parameters<typeof endOf>[0];
const call = (cancelled: boolean) =>
  Object.assign(new EventEmitter(), { cancelled }) as unknown as Ending;

/** Work that goes on until it is told to give up. */
const untilAborted = (ended: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    ended.addEventListener('abort', () => reject(ended.reason as Error));
  });

test('a call that has ended already is known to have', () => {
  expect(endOf(call(true)).reason).toBeInstanceOf(CallEnded);
  expect(endOf(call(false)).aborted).toBe(false);
});

test('work that takes too long is told to give up, as is work for nobody', async () => {
  const running = call(false);
  const ended = endOf(running);
  await expect(withReceiveLimit(ended, untilAborted, 5)).rejects.toMatchObject({
    code: 'request_timeout',
  });
  const working = withReceiveLimit(ended, untilAborted, 60_000);
  (running as unknown as EventEmitter).emit('cancelled');
  await expect(working).rejects.toBeInstanceOf(CallEnded);
  expect(await withReceiveLimit(ended, async () => 'done')).toBe('done');
});
