import { readFileSync } from 'node:fs';
import type { ZodObject, z } from 'zod';

/** Settings are invalid: one line per error, with the name of the setting and what to do. */
export class SettingsError extends Error {
  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'SettingsError';
  }
}

/**
 * Parses settings from the environment. `NAME_FILE` may give the path of a file with the value instead of `NAME`; a
 * trailing line break is dropped. An empty value counts as not set.
 *
 * @throws SettingsError with all errors
 */
export function readSettings<Schema extends ZodObject>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const raw: Record<string, string> = {};
  const errors: string[] = [];
  for (const name of Object.keys(schema.shape)) {
    const value = environment[name];
    const file = environment[`${name}_FILE`];
    if (value && file) errors.push(`${name}: both ${name} and ${name}_FILE are set; remove one.`);
    else if (value) raw[name] = value;
    else if (file) {
      try {
        raw[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      } catch (error) {
        errors.push(
          `${name}_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`,
        );
      }
    }
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const name = String(issue.path[0]);
      if (errors.some((line) => line.startsWith(name))) continue;
      const problem = `${issue.message}${boundOf(issue)}`;
      errors.push(name in raw ? `${name}: ${problem}.` : `${name}: is required but not set.`);
    }
  }
  if (errors.length > 0) throw new SettingsError(errors);
  return parsed.data as z.infer<Schema>;
}

/** The bound that a number breaks, unless the message has it: that of the type is used for its bounds, too. */
function boundOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return '';
  if (!['number', 'int'].includes(issue.origin)) return '';
  const bound = issue.code === 'too_big' ? issue.maximum : issue.minimum;
  if (issue.message.includes(String(bound))) return '';
  return `, ${issue.code === 'too_big' ? 'at most' : 'at least'} ${bound}`;
}
