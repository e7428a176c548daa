import { valueError } from './fault';
import { formats } from './formats';
import { unknownNames, type Schema } from './schema';
import type { Problem } from './types';

/** Raw query parameters: an array if repeated. */
export type RawQuery = Record<string, string | string[] | undefined>;

/** Problems of undeclared parameters, without their values, which may be anything. */
export function unknownProblems(schema: Schema, raw: RawQuery): Problem[] {
  return unknownNames(schema, raw).map((name) => ({
    loc: ['query', name],
    msg: 'Extra inputs are not permitted',
    type: 'extra_forbidden',
  }));
}

/** Problems of parameters, or text fields of a form, that take one value and are repeated. */
export function repeatedProblems(
  schema: Schema,
  raw: Record<string, unknown>,
  where: 'query' | 'body',
): Problem[] {
  const what = where === 'query' ? 'parameter' : 'field';
  return Object.entries(schema.properties ?? {})
    .filter(([name, { format }]) => {
      const isList = formats[format ?? '']?.joinedBy !== undefined;
      return !isList && Object.hasOwn(raw, name) && Array.isArray(raw[name]);
    })
    .map(([name]) => ({ loc: [where, name], ...valueError(`give this ${what} only once`) }));
}
