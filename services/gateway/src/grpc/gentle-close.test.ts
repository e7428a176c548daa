import { EventEmitter } from 'node:events';
import type { Server } from '@grpc/grpc-js';
import { closeGently } from './gentle-close';

const looks = 100;

/** A session as the library's HTTP/2 server would announce it. */
function recordedSession() {
  const steps: string[] = [];
  const session = Object.assign(new EventEmitter(), {
    destroyed: false,
    state: { outboundQueueSize: 1 },
    goaway: (_code: number, last: number) => steps.push(`goaway ${last}`),
    close: (): unknown => steps.push('close'),
  });
  const http2Server = new EventEmitter();
  closeGently({ http2Servers: new Map([[http2Server, null]]) } as unknown as Server);
  http2Server.emit('session', session);
  return { session, steps };
}

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('a session closes only when its GOAWAY is out, once however often it is asked to', () => {
  const { session, steps } = recordedSession();
  session.close();
  session.close();
  jest.advanceTimersByTime(3 * looks);
  expect(steps).toEqual(['goaway 2147483647']);
  session.state.outboundQueueSize = 0;
  jest.advanceTimersByTime(looks);
  expect(steps).toEqual(['goaway 2147483647', 'close']);
});

test('a session that was destroyed meanwhile is left alone', () => {
  const { session, steps } = recordedSession();
  session.close();
  session.destroyed = true;
  jest.advanceTimersByTime(2 * looks);
  session.close();
  expect(steps).toEqual(['goaway 2147483647']);
});

test('a library that keeps its servers elsewhere is noticed at the start', () => {
  expect(() => closeGently({} as Server)).toThrow('no HTTP/2 server');
});
