import { readFileSync } from 'node:fs';
import type { ZodObject, z } from 'zod';

/** Thrown when settings are wrong: one line per mistake, each says the setting's name and what to do. */
export class SettingsError extends Error {
  constructor(readonly lines: readonly string[]) {
    super(lines.join('\n'));
    this.name = 'SettingsError';
  }
}

/**
 * Parses a service's settings from the environment. Each setting `NAME` may be given as
 * `NAME_FILE` instead: the path of a file that holds the value (its last line break is dropped).
 * An empty value counts as not given.
 *
 * @throws SettingsError listing every mistake
 */
export function readSettings<Schema extends ZodObject>(
  schema: Schema,
  environment: NodeJS.ProcessEnv,
): z.infer<Schema> {
  const raw: Record<string, string> = {};
  const mistakes: string[] = [];
  for (const name of Object.keys(schema.shape)) {
    const value = environment[name];
    const file = environment[`${name}_FILE`];
    if (value && file)
      mistakes.push(`${name}: is given twice, as ${name} and as ${name}_FILE; drop one.`);
    else if (value) raw[name] = value;
    else if (file) {
      try {
        raw[name] = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
      } catch (error) {
        mistakes.push(
          `${name}_FILE: cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`,
        );
      }
    }
  }
  const parsed = schema.safeParse(raw);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const name = String(issue.path[0]);
      if (mistakes.some((line) => line.startsWith(name))) continue;
      mistakes.push(
        name in raw ? `${name}: ${issue.message}.` : `${name}: is required but not set.`,
      );
    }
  }
  if (mistakes.length > 0) throw new SettingsError(mistakes);
  return parsed.data as z.infer<Schema>;
}
