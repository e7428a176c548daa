import type { ApiKeyView } from '../api-keys/manage-api-keys';

const headings = ['ID', 'PREFIX', 'NAME', 'SCOPES', 'PROJECT', 'CREATED', 'EXPIRES', 'LAST USED'];

/** Keys as a table for a terminal, one per line. */
export function keysTable(keys: readonly ApiKeyView[], now: Date): string {
  const rows = [headings, ...keys.map((key) => rowOf(key, now))];
  const widths = headings.map((_, column) =>
    Math.max(...rows.map((row) => [...(row[column] ?? '')].length)),
  );
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - [...cell].length))
      .join('  ');
  return rows.map((row) => line(row).trimEnd()).join('\n');
}

function rowOf(key: ApiKeyView, now: Date): string[] {
  const ended = key.expires_at !== null && Date.parse(key.expires_at) <= now.getTime();
  return [
    key.id,
    key.prefix,
    // Names are free text and may contain control characters, which a terminal obeys.
    (key.name ?? '').replace(/\p{C}/gu, '?'),
    key.scopes.join(',') || 'all',
    key.project_id ?? 'all',
    minute(key.created_at),
    key.expires_at === null ? 'never' : minute(key.expires_at) + (ended ? ' (over)' : ''),
    key.last_used_at === null ? 'never' : minute(key.last_used_at),
  ];
}

/** To the minute, in UTC. */
function minute(instant: string): string {
  return `${instant.slice(0, 16)}Z`;
}
