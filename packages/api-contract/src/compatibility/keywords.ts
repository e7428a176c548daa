import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../schema';

/** They bind nobody: text for people, and marks for our own tests. */
const notes = [
  ...['title', 'description', 'example', 'examples', 'externalDocs', '$comment', 'deprecated'],
  ...['readOnly', 'writeOnly', 'x-additive', 'x-open-values'],
];
/** How small a value may be, and how large. */
export const lowerBounds = [
  'minimum',
  'exclusiveMinimum',
  'minLength',
  'minItems',
  'minProperties',
];
export const upperBounds = [
  ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'x-max-depth'],
];
/** Each has a rule of its own; what is none of all these is compared by `differing`. */
const compared = [
  ...['type', 'enum', 'default', 'required', 'properties', 'additionalProperties', 'items'],
  ...['anyOf', ...lowerBounds, ...upperBounds],
];

/** The keywords without a rule of their own that are not the same in both; a keyword that nobody knows, too. */
export function differing(released: Schema, current: Schema): string[] {
  return [...new Set([...Object.keys(released), ...Object.keys(current)])].filter(
    (keyword) =>
      !notes.includes(keyword) &&
      !compared.includes(keyword) &&
      !isDeepStrictEqual(released[keyword], current[keyword]),
  );
}

/** Does every value of type `narrow` have the type `wide`? A schema without a type has any. */
export function typesCover(wide: Schema, narrow: Schema): boolean {
  if (wide.type === undefined) return true;
  if (narrow.type === undefined) return false;
  const allowed = [wide.type].flat();
  return [narrow.type]
    .flat()
    .every((type) => allowed.includes(type) || (type === 'integer' && allowed.includes('number')));
}

/** Does every value of `narrow`'s list stand in that of `wide`? A schema without a list has any value. */
export function enumCovers(wide: Schema, narrow: Schema): boolean {
  if (wide.enum === undefined) return true;
  return narrow.enum?.every((value) => wide.enum?.includes(value)) ?? false;
}

/** The bounds of `narrow` that `wide` does not keep within. */
export function boundsLeft(wide: Schema, narrow: Schema): string[] {
  const at = (schema: Schema, keyword: string, none: number) =>
    (schema[keyword] as number | undefined) ?? none;
  return [
    ...lowerBounds.filter((key) => at(wide, key, -Infinity) > at(narrow, key, -Infinity)),
    ...upperBounds.filter((key) => at(wide, key, Infinity) < at(narrow, key, Infinity)),
  ];
}

/** The schema that fields without a name of their own must fit; true: any, false: there are none. */
export function furtherFields(schema: Schema): boolean | Schema {
  return schema.additionalProperties ?? true;
}
