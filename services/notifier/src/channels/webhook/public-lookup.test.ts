import type { LookupAddress } from 'node:dns';
import { internalAddress, publicLookup, type Resolve } from './public-lookup';

const outside = { address: '93.184.215.14', family: 4 };

function lookedUp(addresses: LookupAddress[], all: boolean): Promise<unknown> {
  const resolve: Resolve = (_name, _options, done) => done(null, addresses);
  return new Promise((answered) => {
    publicLookup(resolve)('chat.example', { all }, (error, address, family) => {
      answered(error?.code ?? [address, family]);
    });
  });
}

test('of a name on the public internet every address is given on as it was resolved', async () => {
  const both = [outside, { address: '2606:2800:21f:cb07:6820:80da:af6b:8b2c', family: 6 }];
  expect(await lookedUp(both, true)).toEqual([both, undefined]);
  expect(await lookedUp(both, false)).toEqual(['93.184.215.14', 4]);
});

test.each([
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '::1',
  '::',
  'fe80::1',
  'fe80::1%eth0',
  'fd00::1',
  '::ffff:127.0.0.1',
  '::ffff:a9fe:a9fe',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
])('a name that resolves to %s, also beside a public address, leads nowhere', async (address) => {
  const internal = { address, family: address.includes(':') ? 6 : 4 };
  for (const all of [true, false]) {
    expect(await lookedUp([internal], all)).toBe(internalAddress);
    expect(await lookedUp([outside, internal], all)).toBe(internalAddress);
  }
});

test('a name without addresses leads nowhere', async () => {
  expect(await lookedUp([], true)).toBe(internalAddress);
});

test('a name that cannot be resolved gives its error', async () => {
  const resolve: Resolve = (_name, _options, done) =>
    done(Object.assign(new Error('x'), { code: 'ENOTFOUND' }), []);
  const code = await new Promise((answered) => {
    publicLookup(resolve)('x.example', { all: true }, (error) => answered(error?.code));
  });
  expect(code).toBe('ENOTFOUND');
});
