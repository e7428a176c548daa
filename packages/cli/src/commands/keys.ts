import type { Context, Outcome } from '../context';
import { EXIT, usageError } from '../exit-codes';
import { projectId } from '../gate/project-target';
import { cleanText, counted, jsonText } from '../output/clean-text';
import { table } from '../output/table';
import { readDuration } from '../settings/duration';
import { maxPageSize } from './max-page-size';

const SCOPES = ['read', 'upload', 'write', 'admin'] as const;

/** Lists API keys without their secrets. All key commands need the scope `admin`. */
export async function listKeys({ api, print }: Context, json: boolean): Promise<Outcome> {
  const page = await api.listKeys({ per_page: maxPageSize });
  if (json) print(jsonText(page));
  else {
    const rows = page.items.map((key) => [
      ...[key.prefix, key.name ?? '', key.scopes.join(' ') || 'all', key.project_id ?? ''],
      ...[key.expires_at ?? 'never', key.last_used_at ?? ''],
    ]);
    print(`${table(['Prefix', 'Name', 'Scopes', 'Project', 'Expires', 'Last used'], rows)}\n`);
  }
  const part = page.has_more ? `, ${page.items.length} shown` : '';
  return { exitCode: EXIT.pass, line: `LISTED ${counted(page.total, 'API key')}${part}` };
}

export interface NewKey {
  name: string | undefined;
  scopes: readonly string[];
  expires: string | undefined;
}

/**
 * Creates a key, bound to a project if one is given by flag. Standard output gets the key only; it cannot be read
 * again.
 */
export async function createKey(
  { api, print }: Context,
  { name, scopes, expires }: NewKey,
  project: string | undefined,
): Promise<Outcome> {
  const known = scopes.map((scope) => {
    const found = SCOPES.find((one) => one === scope);
    if (!found) throw usageError(`scope: "${scope}" is not one of ${SCOPES.join(', ')}.`);
    return found;
  });
  const lifeMs = expires === undefined ? null : readDuration(expires, 'expires');
  const made = await api.createKey({
    ...(name && { name }),
    scopes: known,
    ...(project && { project_id: await projectId(api, project) }),
    ...(lifeMs !== null && { expires_at: new Date(Date.now() + lifeMs).toISOString() }),
  });
  print(`${made.key}\n`);
  const until = made.expires_at ? ` until ${made.expires_at}` : '';
  const may = made.scopes.join(', ') || 'everything';
  return {
    exitCode: EXIT.pass,
    line: `CREATED API key ${made.prefix} for ${may}${until}; it cannot be shown again`,
  };
}

/** Revokes a key by its id or prefix. @throws CliError (usage) if it does not exist */
export async function revokeKey({ api }: Context, named: string): Promise<Outcome> {
  for (let page = 1; ; page++) {
    const read = await api.listKeys({ per_page: maxPageSize, page });
    const found = read.items.find(
      ({ id, prefix }) => id === named.toLowerCase() || prefix === named,
    );
    if (found) {
      await api.revokeKey(found.id);
      return { exitCode: EXIT.pass, line: `REVOKED API key ${found.prefix}` };
    }
    if (!read.has_more)
      throw usageError(cleanText(`No API key "${named}". Give its id or prefix.`));
  }
}
