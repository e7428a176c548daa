import type { Random } from './random';

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = Record<string, Json>;

/** A value in a document: what holds it, and where in that. */
export interface Location {
  container: JsonObject | Json[];
  key: string | number;
}

/** Steps from the root to the place at most. */
const maxSteps = 12;

/**
 * A place in a document by chance, undefined in an empty one. Goes down from the root and stops with one
 * chance in four, so that what stands high is met about as often as the many values in lists.
 */
export function someLocation(random: Random, root: Json): Location | undefined {
  let found: Location | undefined;
  let value = root;
  for (let step = 0; step < maxSteps; step += 1) {
    if (value === null || typeof value !== 'object') break;
    if (found !== undefined && random.below(4) === 0) break;
    const keys = Array.isArray(value) ? value.length : Object.keys(value);
    if (keys === 0 || (Array.isArray(keys) && keys.length === 0)) break;
    const key = typeof keys === 'number' ? random.below(keys) : random.pick(keys);
    found = { container: value, key };
    value = valueAt(found);
  }
  return found;
}

/** A place whose key is one of these, in a component or package by chance. */
export function fieldOfSome(
  random: Random,
  root: Json,
  keys: readonly string[],
): Location | undefined {
  if (!isObject(root)) return undefined;
  const list = root.components ?? root.packages;
  const entry = Array.isArray(list) && list.length > 0 ? random.pick(list) : undefined;
  return isObject(entry) ? { container: entry, key: random.pick(keys) } : undefined;
}

export function valueAt({ container, key }: Location): Json {
  return (container as JsonObject)[key] ?? null;
}

/** By definition and not by assignment: a key may be `__proto__`. */
export function setAt({ container, key }: Location, value: Json): void {
  const described = { value, writable: true, enumerable: true, configurable: true };
  Object.defineProperty(container, key, described);
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
