import { isJsonObject, type JsonObject } from '../json';

/**
 * Every component of a document once: the listed ones, the parts of the root, and what is nested in
 * either; not the root itself. Works on documents that are not validated yet (what is no object is
 * passed over) and on any depth.
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
