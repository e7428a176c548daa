import type { components } from '@bomtrail/api-contract';
import { projectsWith, type Caller, type Projects } from '../api-keys/domain/caller';
import { json, route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';
import { rights } from './domain/rights';

/** Who the caller is. */
export function meRoutes(): Routes {
  return {
    getMe: route({
      receive: receiveNothing,
      handle: async ({ caller }) => json(meView(caller)),
    }),
  };
}

function meView(caller: Caller): components['schemas']['Me'] {
  const { id, identity, expiresAt } = caller;
  const common = {
    id,
    name: identity.name,
    rights: rights
      .map((right) => ({ right, project_ids: idsOf(projectsWith(caller, right)) }))
      .filter(({ project_ids }) => project_ids?.length !== 0),
    expires_at: expiresAt?.toISOString() ?? null,
  };
  if (identity.kind === 'key') return { kind: 'key', person: null, roles: [], ...common };
  const { issuer, subject, name, email, roles } = identity;
  return {
    kind: 'person',
    person: { issuer, subject, name, email },
    roles: roles.map(({ role, projects }) => ({ role, project_ids: idsOf(projects) })),
    ...common,
  };
}

function idsOf(projects: Projects): string[] | null {
  return projects === 'all' ? null : [...projects];
}
