import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { commonSettings } from './common-settings';
import { readSettings, SettingsError } from './read-settings';

const schema = z.object({
  SECRET: z.string().min(3, 'must have three characters or more'),
  COUNT: z.coerce.number('must be a number').int().default(4),
});

function errorsOf(environment: NodeJS.ProcessEnv, of: z.ZodObject = schema): readonly string[] {
  try {
    readSettings(of, environment);
    return [];
  } catch (error) {
    if (error instanceof SettingsError) return error.lines;
    throw error;
  }
}

function fileWith(text: string): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'bomtrail-settings-')), 'secret');
  writeFileSync(file, text);
  return file;
}

test('a setting comes from the environment, or from a file without its last line break', () => {
  expect(readSettings(schema, { SECRET: 'abc', COUNT: '7' })).toEqual({ SECRET: 'abc', COUNT: 7 });
  const file = fileWith('from a file\n');
  expect(readSettings(schema, { SECRET_FILE: file })).toEqual({ SECRET: 'from a file', COUNT: 4 });
});

test('an empty value counts as not set', () => {
  expect(readSettings(schema, { SECRET: 'abc', COUNT: '' }).COUNT).toBe(4);
  expect(errorsOf({ SECRET: '' })).toEqual(['SECRET: is required but not set.']);
});

test('each error is one line with the setting and the problem, without its value', () => {
  expect(errorsOf({ SECRET: 'ab', COUNT: 'many' })).toEqual([
    'SECRET: must have three characters or more.',
    'COUNT: must be a number.',
  ]);
  expect(errorsOf({ SECRET: 'abc', SECRET_FILE: '/nowhere' })).toEqual([
    'SECRET: both SECRET and SECRET_FILE are set; remove one.',
  ]);
  expect(errorsOf({ SECRET_FILE: '/nowhere' })).toEqual([
    'SECRET_FILE: cannot read /nowhere (ENOENT).',
  ]);
});

test('errors of common settings describe the expected address', () => {
  const wrong = { MONGODB_URI: 'localhost', NATS_URL: 'localhost', LOG_LEVEL: 'loud' };
  expect(errorsOf(wrong, commonSettings)).toEqual([
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
      expect(errorsOf({ ...least, NATS_URL }, commonSettings)).toEqual([]);
    },
  );

  test.each(['nats://a,', 'nats://a,b:4222', 'nats://a nats://b'])(
    'each of them must be one: %s',
    (NATS_URL) => {
      expect(errorsOf({ ...least, NATS_URL }, commonSettings)).toHaveLength(1);
    },
  );

  test('NATS_REPLICAS is 1, 3, 5 or not set', () => {
    const replicas = (NATS_REPLICAS?: string) =>
      readSettings(commonSettings, { ...least, NATS_REPLICAS }).NATS_REPLICAS;
    expect([replicas('1'), replicas('3'), replicas('5')]).toEqual([1, 3, 5]);
    expect([replicas(), replicas('')]).toEqual([undefined, undefined]);
    for (const NATS_REPLICAS of ['0', '2', '7', 'three'])
      expect(errorsOf({ ...least, NATS_REPLICAS }, commonSettings)).toEqual([
        'NATS_REPLICAS: must be 1, 3 or 5.',
      ]);
  });
});
