export type JsonObject = Record<string, unknown>;

/** True for `{…}`; false for arrays, null and everything else. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
