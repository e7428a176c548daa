import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../schema';

/** Annotations: text for people, and marks for our own tests. */
const notes = [
  ...['title', 'description', 'example', 'examples', 'externalDocs', '$comment', 'deprecated'],
  ...['readOnly', 'writeOnly', 'x-additive', 'x-open-values'],
];
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
/** Keywords with their own rule; `differing` compares the others. */
const compared = [
  ...['type', 'enum', 'default', 'required', 'properties', 'additionalProperties', 'items'],
  ...['anyOf', ...lowerBounds, ...upperBounds],
];

/** Keywords without their own rule (including unknown ones) that differ. */
export function differing(released: Schema, current: Schema): string[] {
  return [...new Set([...Object.keys(released), ...Object.keys(current)])].filter(
    (keyword) =>
      !notes.includes(keyword) &&
      !compared.includes(keyword) &&
      !isDeepStrictEqual(released[keyword], current[keyword]),
  );
}

/** Whether every value of type `narrow` has type `wide`. A schema without a type allows any. */
export function typesCover(wide: Schema, narrow: Schema): boolean {
  if (wide.type === undefined) return true;
  if (narrow.type === undefined) return false;
  const allowed = [wide.type].flat();
  return [narrow.type]
    .flat()
    .every((type) => allowed.includes(type) || (type === 'integer' && allowed.includes('number')));
}

/** Whether `wide` lists every value of `narrow`. A schema without a list allows any. */
export function enumCovers(wide: Schema, narrow: Schema): boolean {
  if (wide.enum === undefined) return true;
  return narrow.enum?.every((value) => wide.enum?.includes(value)) ?? false;
}

/** Bounds of `narrow` that `wide` violates. */
export function boundsLeft(wide: Schema, narrow: Schema): string[] {
  const at = (schema: Schema, keyword: string, none: number) =>
    (schema[keyword] as number | undefined) ?? none;
  return [
    ...lowerBounds.filter((key) => at(wide, key, -Infinity) > at(narrow, key, -Infinity)),
    ...upperBounds.filter((key) => at(wide, key, Infinity) < at(narrow, key, Infinity)),
  ];
}

/** Schema of additional properties; true: any, false: none. */
export function furtherFields(schema: Schema): boolean | Schema {
  return schema.additionalProperties ?? true;
}
