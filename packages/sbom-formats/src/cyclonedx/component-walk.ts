import { isJsonObject, type JsonObject } from '../json';

/**
 * Visits every component of a document once: listed ones, parts of the root, and nested ones; not
 * the root itself. Works on unvalidated documents (non-objects are skipped) of any depth.
 */
export function* walkComponents(document: JsonObject): Generator<JsonObject> {
  const metadata = isJsonObject(document.metadata) ? document.metadata : {};
  const root = isJsonObject(metadata.component) ? metadata.component : {};
  const lists: unknown[] = [document.components, root.components];
  while (lists.length > 0) {
    const list = lists.pop();
    if (!Array.isArray(list)) continue;
    for (const component of list as unknown[]) {
      if (!isJsonObject(component)) continue;
      yield component;
      if (component.components !== undefined) lists.push(component.components);
    }
  }
}
