import { valueError } from './fault';
import { formats } from './formats';
import type { Schema } from './schema';
import type { Problem } from './types';

/** Query parameters as they came: an array where one was given more than once. */
export type RawQuery = Record<string, string | string[] | undefined>;

/** More names than this help nobody. */
const maxNames = 20;
/** A mistyped name is recognised by its beginning. */
const maxNameLength = 100;

/** Names of the given parameters that an operation does not declare, cut where there are many or they are long. */
export function unknownNames(schema: Schema, raw: RawQuery): string[] {
  return Object.keys(raw)
    .filter((name) => !Object.hasOwn(schema.properties ?? {}, name))
    .slice(0, maxNames)
    .map((name) => [...name].slice(0, maxNameLength).join(''));
}

/** Problems of parameters that an operation does not declare. Their values are not sent back: nobody knows what they are. */
export function unknownProblems(schema: Schema, raw: RawQuery): Problem[] {
  return unknownNames(schema, raw).map((name) => ({
    loc: ['query', name],
    msg: 'Extra inputs are not permitted',
    type: 'extra_forbidden',
  }));
}

/** Problems of declared parameters that take one value and were given several. */
export function repeatedProblems(schema: Schema, raw: RawQuery): Problem[] {
  return Object.entries(schema.properties ?? {})
    .filter(([name, { format }]) => {
      const isList = formats[format ?? '']?.joinedBy !== undefined;
      return !isList && Object.hasOwn(raw, name) && Array.isArray(raw[name]);
    })
    .map(([name]) => ({ loc: ['query', name], ...valueError('give this parameter only once') }));
}
