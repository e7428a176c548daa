import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import {
  connectionsPerAddress,
  createConnectionCount,
  type RefusedConnection,
} from './connection-limits';

const from = (remoteAddress: string): Socket =>
  Object.assign(new EventEmitter(), { remoteAddress }) as unknown as Socket;

test('a connection beyond a limit is refused until one of those before it closes', () => {
  const refused: RefusedConnection[] = [];
  const admits = createConnectionCount({
    total: 3,
    perAddress: 2,
    onRefused: (one: RefusedConnection) => refused.push(one),
  });
  const [first, second] = [from('192.0.2.1'), from('::ffff:192.0.2.1')];
  expect([admits(first), admits(second), admits(from('192.0.2.1'))]).toEqual([true, true, false]);
  expect([admits(from('192.0.2.2')), admits(from('192.0.2.3'))]).toEqual([true, false]);
  first.emit('close');
  expect([admits(from('192.0.2.1')), admits(from('192.0.2.1'))]).toEqual([true, false]);
  expect(refused.map(({ limit, address }) => [limit, address])).toEqual([
    ['address', '192.0.2.1'],
    ['total', '192.0.2.3'],
    ['total', '192.0.2.1'],
  ]);
});

test('clients of one IPv6 network count as one address', () => {
  const admits = createConnectionCount({ total: 9, perAddress: 1 });
  expect([admits(from('2001:db8::1')), admits(from('2001:db8::2'))]).toEqual([true, false]);
  expect(admits(from('2001:db8:0:1::1'))).toBe(true);
});

test('whatever opens and closes, no limit is passed and no place is lost', () => {
  const steps = fc.array(fc.record({ address: fc.nat(3), closes: fc.boolean() }), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(
      steps,
      fc.integer({ min: 1, max: 6 }),
      fc.integer({ min: 1, max: 4 }),
      (...given) => {
        const [all, total, perAddress] = given;
        const admits = createConnectionCount({ total, perAddress });
        const open: { socket: Socket; address: number }[] = [];
        for (const { address, closes } of all) {
          if (closes) {
            open.shift()?.socket.emit('close');
            continue;
          }
          const ofAddress = open.filter((one) => one.address === address).length;
          const socket = from(`192.0.2.${address}`);
          expect(admits(socket)).toBe(open.length < total && ofAddress < perAddress);
          if (open.length < total && ofAddress < perAddress) open.push({ socket, address });
        }
      },
    ),
  );
});

test.each([
  [{ total: 1_000, perAddress: undefined, proxyHops: 0 }, 250],
  [{ total: 1_000, perAddress: undefined, proxyHops: 1 }, 1_000],
  [{ total: 1_000, perAddress: 7, proxyHops: 1 }, 7],
  [{ total: 1, perAddress: undefined, proxyHops: 0 }, 1],
])('of %j one address may hold %d connections', (given, expected) => {
  expect(connectionsPerAddress(given)).toBe(expected);
});
