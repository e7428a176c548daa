import { createUser } from '@nats-io/nkeys';
import { readSettings } from '@bomtrail/settings';
import { busSettings } from './bus-settings';

const read = (environment: NodeJS.ProcessEnv) => () =>
  readSettings(busSettings, { NATS_URL: 'nats://a', ...environment });

test.each(['nats://a:99999', 'nats://a,nats://b:x', 'tls://:4222'])(
  '%s stops the start: a server has a host and a possible port',
  (NATS_URL) => {
    expect(read({ NATS_URL })).toThrow(
      'NATS_URL: must have a host in each URL, and a port up to 65535 if any.',
    );
  },
);

test.each(['nats://u:p@a_b:4222', 'tls://[::1]:4222', 'wss://a/path'])(
  '%s is an address of NATS',
  (NATS_URL) => {
    expect(read({ NATS_URL })()).toEqual({ NATS_URL });
  },
);

test('credentials are their text, not the path of a file', () => {
  const path = '/run/secrets/nats';
  expect(read({ NATS_NKEY: path })).toThrow(
    'NATS_NKEY: must be a seed, SU…; a path is given as NATS_NKEY_FILE.',
  );
  expect(read({ NATS_CREDS: path })).toThrow(
    'NATS_CREDS: must be the text, not a path; a path is given as NATS_CREDS_FILE.',
  );
  const NATS_NKEY = Buffer.from(createUser().getSeed()).toString();
  expect(read({ NATS_NKEY })()).toMatchObject({ NATS_NKEY });
});
