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

function mistakesOf(environment: NodeJS.ProcessEnv, of: z.ZodObject = schema): readonly string[] {
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

test('an empty value counts as not given', () => {
  expect(readSettings(schema, { SECRET: 'abc', COUNT: '' }).COUNT).toBe(4);
  expect(mistakesOf({ SECRET: '' })).toEqual(['SECRET: is required but not set.']);
});

test('each mistake is one line that names its setting and what is wrong, and none shows a value', () => {
  expect(mistakesOf({ SECRET: 'ab', COUNT: 'many' })).toEqual([
    'SECRET: must have three characters or more.',
    'COUNT: must be a number.',
  ]);
  expect(mistakesOf({ SECRET: 'abc', SECRET_FILE: '/nowhere' })).toEqual([
    'SECRET: is given twice, as SECRET and as SECRET_FILE; drop one.',
  ]);
  expect(mistakesOf({ SECRET_FILE: '/nowhere' })).toEqual([
    'SECRET_FILE: cannot read /nowhere (ENOENT).',
  ]);
});

test('the settings of every service say what a wrong address must look like', () => {
  const wrong = { MONGODB_URI: 'localhost', NATS_URL: 'localhost', LOG_LEVEL: 'loud' };
  expect(mistakesOf(wrong, commonSettings)).toEqual([
    'MONGODB_URI: must begin with mongodb:// or mongodb+srv://.',
    'NATS_URL: must begin with nats:// or tls://.',
    'LOG_LEVEL: must be trace, debug, info, warn, error or fatal.',
  ]);
});
