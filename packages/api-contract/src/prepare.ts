import { formats } from './formats';
import { copyWithoutProto } from './free-object';
import type { Schema } from './schema';

/**
 * Prepares the declared fields of a request part for validation: trims, drops or nulls empty values
 * as the schema says, fills in defaults. Text that does not parse as the expected number or boolean
 * stays text, so that validation reports it.
 *
 * @param schema of the whole part
 * @param raw what the client sent; returned unchanged unless it is an object
 * @param text whether values are text to parse (path, query and form, not JSON)
 */
export function prepare(schema: Schema, raw: unknown, text: boolean): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const given = raw as Record<string, unknown>;
  const prepared: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const sent = Object.hasOwn(given, name) ? given[name] : undefined;
    const value = withoutEmpty(field, text ? joined(field, sent) : trimmed(field, sent));
    if (value !== undefined) prepared[name] = text ? parsed(field, value) : value;
    else if (field.default !== undefined) prepared[name] = field.default;
  }
  return prepared;
}

/** Normalises validated fields: UUIDs in lower case, times in UTC, and so on. */
export function normalise(schema: Schema, checked: unknown): unknown {
  const fields = Object.entries(checked as Record<string, unknown>);
  return Object.fromEntries(
    fields.map(([name, value]) => {
      const parse = formats[schema.properties?.[name]?.format ?? '']?.parse;
      return [name, typeof value === 'string' && parse ? parse(value) : copyWithoutProto(value)];
    }),
  );
}

function joined(field: Schema, sent: unknown): unknown {
  if (!Array.isArray(sent)) return sent;
  const joinedBy = formats[field.format ?? '']?.joinedBy;
  return joinedBy === undefined ? sent.at(-1) : sent.join(joinedBy);
}

function trimmed(field: Schema, sent: unknown): unknown {
  return field['x-trim'] && typeof sent === 'string' ? sent.trim() : sent;
}

function withoutEmpty(field: Schema, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const joinedBy = formats[field.format ?? '']?.joinedBy;
  const isEmpty = (joinedBy === undefined ? value : value.replaceAll(joinedBy, '').trim()) === '';
  if (isEmpty && field['x-when-empty'] === 'omit') return undefined;
  if (isEmpty && field['x-when-empty'] === 'null') return null;
  if (field['x-when-blank'] === 'omit' && value.trim() === '') return undefined;
  return value;
}

const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/;

function parsed(field: Schema, value: unknown): unknown {
  if (field.type === 'integer' && /^[+-]?\d+$/.test(String(value))) return boundedNumber(value);
  if (field.type === 'number' && decimal.test(String(value))) return boundedNumber(value);
  if (field.type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}

/**
 * Numbers beyond a double become the largest one, so that they fail the upper bound, not the type.
 */
function boundedNumber(value: unknown): number {
  const number = Number(value);
  return Number.isFinite(number) ? number : Math.sign(number) * Number.MAX_VALUE;
}
