import { isRecentEnough, releaseIn } from './server-kind';

describe('the release of a server', () => {
  test('is read out of what mongod and nats-server print', () => {
    expect(releaseIn('db version v6.0.5\nBuild Info: {"version": "6.0.5"}')).toBe('6.0.5');
    expect(releaseIn('nats-server: v2.15.1\n')).toBe('2.15.1');
    expect(releaseIn('no such thing')).toBeUndefined();
  });

  test.each([
    ['mongod', '6.0.0', true],
    ['mongod', '10.1.0', true],
    ['mongod', '5.9.9', false],
    ['nats-server', '2.10.0', true],
    ['nats-server', '2.9.25', false],
    ['nats-server', '3.0.0', true],
  ] as const)('of %s %s: recent enough is %s', (kind, release, expected) => {
    expect(isRecentEnough(kind, release)).toBe(expected);
  });
});
