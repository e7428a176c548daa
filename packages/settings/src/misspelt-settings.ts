import { distance } from 'fastest-levenshtein';
import type { ZodObject } from 'zod';

/** At most so many characters are missing, added or others in a misspelt name. */
const typos = 2;
/** Shorter names are too much alike. */
const shortest = 10;

/** A variable that is no setting, and the setting that it nearly names. */
interface MisspeltSetting {
  name: string;
  meant: string;
}

/**
 * Finds variables that nearly name a setting, or its `NAME_FILE`, that is not set: they would be ignored without a word.
 *
 * @returns in order of the variables, each once
 */
export function misspeltSettings(
  schema: ZodObject,
  environment: NodeJS.ProcessEnv,
): MisspeltSetting[] {
  const known = Object.keys(schema.shape).flatMap((name) => [name, `${name}_FILE`]);
  const isKnown = new Set(known);
  const unset = known.filter((name) => !environment[name] && name.length >= shortest);
  return Object.keys(environment).flatMap((name) => {
    if (isKnown.has(name) || name.length < shortest) return [];
    const meant = unset.find((one) => distance(name, one) <= typos);
    return meant === undefined ? [] : [{ name, meant }];
  });
}
