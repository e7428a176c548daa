import { getProject } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { rightsOfScopes } from '../access/domain/rights';
import type { Caller } from '../api-keys/domain/caller';
import { outcomeOf } from '../shared/http-error';
import type { AuditTrail, CallToAudit } from '../audit/audit-calls';
import * as apiKeys from '../api-keys/manage-api-keys';
import { keysTable } from './keys-table';
import type { KeysCommand } from './parse-keys-command';

export interface KeysCommandDeps extends apiKeys.ManageApiKeysDeps {
  trail: AuditTrail;
  /** Writes results, which scripts may read. */
  print: (text: string) => void;
  /** Writes messages for people. */
  say: (text: string) => void;
}

/** Access to the database implies all rights. */
const operator: Caller = {
  id: '',
  identity: { kind: 'key', prefix: '', name: null, scopes: [] },
  grants: [{ rights: rightsOfScopes([]), projects: 'all' }],
  projects: 'all',
  expiresAt: null,
};

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const longestPage = 200;

/**
 * Runs the command. @throws AppError `project_not_found`, `api_key_not_found`,
 * `service_unavailable`
 */
export async function runKeysCommand(deps: KeysCommandDeps, command: KeysCommand): Promise<void> {
  switch (command.kind) {
    case 'create':
      return create(deps, command);
    case 'list':
      deps.print(keysTable(await allKeys(deps), deps.now()));
      return;
    case 'revoke': {
      const named = 'id' in command.key ? { api_key_id: command.key.id } : {};
      const revoking = { operation: 'deleteApiKey', status: 204, about: named };
      const { id, prefix, name } = await audited(deps, revoking, () =>
        apiKeys.revokeApiKey(deps, operator, command.key),
      );
      const title = name === null ? '' : ` “${name}”`;
      deps.say(`Key ${prefix}${title} (${id}) is revoked: refused everywhere within 5 seconds.`);
    }
  }
}

async function create(
  deps: KeysCommandDeps,
  { name, scopes, project, expiresAt }: Extract<KeysCommand, { kind: 'create' }>,
): Promise<void> {
  const project_id = project === null ? null : await projectIdOf(deps.request, project);
  const creating = { operation: 'createApiKey', status: 201, about: { project_id } };
  const made = await audited(deps, creating, () =>
    apiKeys.createApiKey(deps, operator, { name, scopes, project_id, expires_at: expiresAt }),
  );
  const bound = project_id === null ? 'all projects' : `project ${project_id}`;
  deps.say(
    `Key ${made.prefix}: scopes ${made.scopes.join(', ') || 'all'}; ${bound}; ` +
      `expires ${made.expires_at ?? 'never'}. It is shown only once:`,
  );
  deps.print(made.key);
}

async function allKeys(deps: KeysCommandDeps): Promise<apiKeys.ApiKeyView[]> {
  const keys: apiKeys.ApiKeyView[] = [];
  for (let page = 1; ; page += 1) {
    const requested = { page, per_page: longestPage };
    const { items } = await apiKeys.listApiKeys(deps, operator, requested);
    keys.push(...items);
    if (items.length < longestPage) return keys;
  }
}

async function projectIdOf(request: Request, project: string): Promise<string> {
  const named = uuid.test(project)
    ? { project_id: project.toLowerCase(), project_slug: null }
    : { project_id: null, project_slug: project };
  return (await request(getProject, named)).body.id;
}

/** Does the work with an audit entry, like a REST call. */
async function audited<Key extends apiKeys.ApiKeyView>(
  { trail }: KeysCommandDeps,
  call: { operation: string; status: number; about: object },
  work: () => Promise<Key>,
): Promise<Key> {
  const entry: CallToAudit = {
    caller: null,
    protocol: 'command',
    operation: call.operation,
    method: null,
    path: null,
    client: null,
  };
  const begun = trail.begin(entry);
  begun.about(call.about);
  try {
    await begun.stored();
    const key = await work();
    begun.about({ api_key_id: key.id, project_id: key.project_id });
    begun.end({ kind: 'responded', status: call.status, code: null });
    return key;
  } catch (error) {
    begun.end(outcomeOf(error));
    throw error;
  } finally {
    await trail.idle();
  }
}
