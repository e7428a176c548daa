const maxServiceNameLength = 255;

/**
 * Service name of an upload (docs/rules.md N8): the client's `service_name` verbatim, else
 * `metadata.component.name` truncated to 255 characters, else none.
 */
export function serviceNameOf(given: string | null, rootName: string | null): string | null {
  if (given !== null && given.trim() !== '') return given;
  if (rootName === null || rootName.trim() === '') return null;
  return Array.from(rootName).slice(0, maxServiceNameLength).join('');
}
