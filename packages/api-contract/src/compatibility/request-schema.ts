import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../schema';
import { breaks, type BreakingChange } from './breaking-change';
import { boundsLeft, differing, enumCovers, furtherFields, typesCover } from './keywords';

/** Breaks for values that the released schema accepts. */
export function requestBreaks(released: Schema, current: Schema, where: string): BreakingChange[] {
  return [
    ...(typesCover(current, released) ? [] : [breaks('request-type-narrowed', where)]),
    ...(enumCovers(current, released) ? [] : [breaks('request-enum-narrowed', where)]),
    ...boundsLeft(current, released).map((bound) =>
      breaks('request-bound-narrowed', `${where} (${bound})`),
    ),
    ...(isDeepStrictEqual(released.default, current.default)
      ? []
      : [breaks('request-default-changed', where)]),
    // Format, trimming and keywords without a rule: a changed meaning.
    ...differing(released, current).map((keyword) =>
      breaks('request-meaning-changed', `${where} (${keyword})`),
    ),
    ...anyOfBreaks(released, current, where),
    ...itemBreaks(released, current, where),
    ...fieldBreaks(released, current, where),
  ];
}

function fieldBreaks(released: Schema, current: Schema, where: string): BreakingChange[] {
  const before = released.properties ?? {};
  const now = current.properties ?? {};
  const newlyRequired = (current.required ?? []).filter(
    (name) => !released.required?.includes(name),
  );
  return [
    ...newlyRequired.map((name) => breaks('request-field-required', `${where}.${name}`)),
    ...Object.entries(before).flatMap(([name, field]) =>
      now[name]
        ? requestBreaks(field, now[name], `${where}.${name}`)
        : [breaks('request-field-removed', `${where}.${name}`)],
    ),
    // Where any field was accepted, a field that now has a schema is restricted.
    ...Object.entries(now)
      .filter(([name]) => !before[name] && released.additionalProperties === true)
      .flatMap(([name, field]) => requestBreaks({}, withoutDefault(field), `${where}.${name}`)),
    ...furtherFieldBreaks(furtherFields(released), furtherFields(current), where),
  ];
}

function furtherFieldBreaks(
  released: boolean | Schema,
  current: boolean | Schema,
  where: string,
): BreakingChange[] {
  if (current === true || released === false) return [];
  if (current === false) return [breaks('request-type-narrowed', `${where}.*`)];
  return requestBreaks(released === true ? {} : released, current, `${where}.*`);
}

function itemBreaks(released: Schema, current: Schema, where: string): BreakingChange[] {
  return current.items ? requestBreaks(released.items ?? {}, current.items, `${where}[]`) : [];
}

/** A choice may get alternatives at its end; existing ones stay equal or become wider. */
function anyOfBreaks(released: Schema, current: Schema, where: string): BreakingChange[] {
  if (!current.anyOf) return [];
  if (!released.anyOf || released.anyOf.length > current.anyOf.length) {
    return [breaks('request-type-narrowed', where)];
  }
  return released.anyOf.flatMap((choice, index) =>
    requestBreaks(choice, current.anyOf?.[index] ?? {}, `${where}|${index}`),
  );
}

function withoutDefault(field: Schema): Schema {
  return { ...field, default: undefined };
}
