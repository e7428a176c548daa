import { clientAddress } from './client-address';

const socket = '192.0.2.9';

describe('Where a request comes from', () => {
  test.each([
    ['without proxies what it says of itself means nothing', 0, '203.0.113.7', socket],
    ['behind one it is whom that one names', 1, '203.0.113.7', '203.0.113.7'],
    [
      'what the client wrote before that is not believed',
      1,
      '10.0.0.1, 203.0.113.7',
      '203.0.113.7',
    ],
    [
      'behind two it is whom the outer one names',
      2,
      '10.0.0.1,203.0.113.7, 10.1.1.1',
      '203.0.113.7',
    ],
    ['when it did not pass all of them, it is its connection', 2, '203.0.113.7', socket],
    ['without the header it is its connection', 1, undefined, socket],
    ['what is no address is not believed', 1, 'unknown', socket],
    ['a port is no part of it', 1, '203.0.113.7:4711', '203.0.113.7'],
    ['nor of IPv6', 1, '[2001:db8::1]:4711', '2001:db8::1'],
  ])('%s', (...[, hops, forwarded, expected]) => {
    expect(clientAddress({ socket, forwarded }, hops)).toBe(expected);
  });

  test('IPv4 over a socket of both families is IPv4', () => {
    expect(clientAddress({ socket: '::ffff:192.0.2.9', forwarded: undefined }, 0)).toBe(socket);
    expect(clientAddress({ socket: null, forwarded: undefined }, 0)).toBeNull();
  });
});
