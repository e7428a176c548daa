import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { readSettings, SettingsError } from './read-settings';

const schema = z.object({
  SECRET: z.string().min(3, 'must have three characters or more'),
  COUNT: z.coerce.number('must be a number').int().min(1).max(9).default(4),
  LIMIT: z.coerce.number('must be a number').max(5, 'must be 5 or less').optional(),
});

function errorsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readSettings(schema, environment);
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

test('a number out of bounds is told its bound, once', () => {
  const errors = (COUNT: string): readonly string[] => errorsOf({ SECRET: 'abc', COUNT });
  expect([errors('0'), errors('10')]).toEqual([
    ['COUNT: must be a number, at least 1.'],
    ['COUNT: must be a number, at most 9.'],
  ]);
  expect(errorsOf({ SECRET: 'abc', LIMIT: '6' })).toEqual(['LIMIT: must be 5 or less.']);
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
