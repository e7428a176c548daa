import type { Schema } from '../schema';
import { breaks, type BreakingChange } from './breaking-change';
import { boundsLeft, differing, enumCovers, furtherFields, typesCover } from './keywords';

/** Request-only keywords, without meaning in responses. */
const ofRequests = ['x-trim', 'x-when-empty', 'x-when-blank', 'x-future'];

/** Breaks for clients that read responses by the released schema. */
export function responseBreaks(released: Schema, current: Schema, where: string): BreakingChange[] {
  const isOpen = released['x-open-values'] === true;
  return [
    ...(typesCover(released, current) ? [] : [breaks('response-type-widened', where)]),
    ...(isOpen || enumCovers(released, current) ? [] : [breaks('response-enum-widened', where)]),
    ...boundsLeft(released, current).map((bound) =>
      breaks('response-bound-widened', `${where} (${bound})`),
    ),
    ...differing(released, current)
      .filter((keyword) => !ofRequests.includes(keyword))
      .map((keyword) => breaks('response-meaning-changed', `${where} (${keyword})`)),
    ...anyOfBreaks(released, current, where),
    ...itemBreaks(released, current, where),
    ...fieldBreaks(released, current, where),
  ];
}

function fieldBreaks(released: Schema, current: Schema, where: string): BreakingChange[] {
  const now = current.properties ?? {};
  const required = released.required ?? [];
  return [
    ...Object.entries(released.properties ?? {}).flatMap(([name, field]) =>
      now[name]
        ? responseBreaks(field, now[name], `${where}.${name}`)
        : [breaks('response-field-removed', `${where}.${name}`)],
    ),
    ...required
      .filter((name) => now[name] && !current.required?.includes(name))
      .map((name) => breaks('response-field-optional', `${where}.${name}`)),
    ...furtherFieldBreaks(furtherFields(released), furtherFields(current), where),
  ];
}

/** Additional properties keep their schema. */
function furtherFieldBreaks(
  released: boolean | Schema,
  current: boolean | Schema,
  where: string,
): BreakingChange[] {
  if (typeof released === 'boolean') return [];
  if (current === false) return [breaks('response-field-removed', `${where}.*`)];
  return responseBreaks(released, current === true ? {} : current, `${where}.*`);
}

function itemBreaks(released: Schema, current: Schema, where: string): BreakingChange[] {
  return released.items ? responseBreaks(released.items, current.items ?? {}, `${where}[]`) : [];
}

/** No new alternatives: no released client would know them. */
function anyOfBreaks(released: Schema, current: Schema, where: string): BreakingChange[] {
  if (!released.anyOf) return [];
  if (!current.anyOf || current.anyOf.length > released.anyOf.length) {
    return [breaks('response-type-widened', where)];
  }
  return current.anyOf.flatMap((choice, index) =>
    responseBreaks(released.anyOf?.[index] ?? {}, choice, `${where}|${index}`),
  );
}
