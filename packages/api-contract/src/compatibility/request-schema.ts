import { isDeepStrictEqual } from 'node:util';
import type { Schema } from '../schema';
import { breaks, type BreakingChange } from './breaking-change';
import { boundsLeft, differing, enumCovers, furtherFields, typesCover } from './keywords';

/** What a value that the released schema accepted could suffer from under the current one. */
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
    // What a format is, how a value is trimmed, and all that has no rule here: another meaning.
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
    // Where any field was said to be taken as it is, one that now has a schema is taken no more.
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

/** A choice may get more alternatives at its end; those it had stay as they are, or wider. */
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
