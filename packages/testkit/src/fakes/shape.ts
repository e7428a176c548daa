/** An unvalidated object of a message. */
export type Fields = Readonly<Record<string, unknown>>;

/** A part of a message that the service would reject. */
export class ShapeFault extends Error {}

/** @throws ShapeFault unless it is an object with no other fields than these */
export function fieldsOf(value: unknown, where: string, known: readonly string[]): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ShapeFault(`${where}: no object`);
  }
  const unknown = Object.keys(value).filter((key) => !known.includes(key));
  if (unknown.length > 0) throw new ShapeFault(`${where}: unknown ${unknown.join(', ')}`);
  return value as Fields;
}

/** @throws ShapeFault unless it is a list of so many elements */
export function listOf(value: unknown, where: string, bounds: [number, number]): unknown[] {
  if (!Array.isArray(value)) throw new ShapeFault(`${where}: no list`);
  if (value.length < bounds[0] || value.length > bounds[1]) {
    throw new ShapeFault(`${where}: ${value.length} elements, allowed ${bounds.join(' to ')}`);
  }
  return value as unknown[];
}

/**
 * Returns a text within bounds, counted in UTF-16 units: never fewer than the characters that a service counts.
 *
 * @throws ShapeFault
 */
export function textOf(value: unknown, where: string, bounds: [number, number]): string {
  if (typeof value !== 'string') throw new ShapeFault(`${where}: no text`);
  if (value.length < bounds[0] || value.length > bounds[1]) {
    throw new ShapeFault(`${where}: ${value.length} characters, allowed ${bounds.join(' to ')}`);
  }
  if (bounds[0] > 0 && value.trim() === '') throw new ShapeFault(`${where}: blank`);
  return value;
}

/** @throws ShapeFault unless the value is one of these */
export function oneOf(value: unknown, where: string, allowed: readonly unknown[]): void {
  if (!allowed.includes(value)) throw new ShapeFault(`${where}: ${JSON.stringify(value)}`);
}

/** Runs a check and returns the message of its ShapeFault; undefined if it passed. */
export function faultOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof ShapeFault) return error.message;
    throw error;
  }
}
