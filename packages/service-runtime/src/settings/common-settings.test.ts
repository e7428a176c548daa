import { readSettings, SettingsError } from '@bomtrail/settings';
import { commonSettings } from './common-settings';

function errorsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readSettings(commonSettings, environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.lines;
    throw error;
  }
}

test('errors of common settings describe the expected address', () => {
  const wrong = { MONGODB_URI: 'localhost', NATS_URL: 'localhost', LOG_LEVEL: 'loud' };
  expect(errorsOf(wrong)).toEqual([
    'MONGODB_URI: must begin with mongodb:// or mongodb+srv://.',
    'NATS_URL: must be comma-separated URLs that begin with nats:// or tls://.',
    'LOG_LEVEL: must be trace, debug, info, warn, error or fatal.',
  ]);
});

describe('of a NATS cluster', () => {
  const least = { MONGODB_URI: 'mongodb://a', NATS_URL: 'nats://a' };

  test.each(['nats://a:4222,nats://b:4222', 'nats://a, nats://b'])(
    'several servers may be named: %s',
    (NATS_URL) => {
      expect(errorsOf({ ...least, NATS_URL })).toEqual([]);
    },
  );

  test.each(['nats://a,', 'nats://a,b:4222', 'nats://a nats://b'])(
    'each of them must be one: %s',
    (NATS_URL) => {
      expect(errorsOf({ ...least, NATS_URL })).toHaveLength(1);
    },
  );

  test('NATS_REPLICAS is 1, 3, 5 or not set', () => {
    const replicas = (NATS_REPLICAS?: string) =>
      readSettings(commonSettings, { ...least, NATS_REPLICAS }).NATS_REPLICAS;
    expect([replicas('1'), replicas('3'), replicas('5')]).toEqual([1, 3, 5]);
    expect([replicas(), replicas('')]).toEqual([undefined, undefined]);
    for (const NATS_REPLICAS of ['0', '2', '7', 'three'])
      expect(errorsOf({ ...least, NATS_REPLICAS })).toEqual(['NATS_REPLICAS: must be 1, 3 or 5.']);
  });
});
