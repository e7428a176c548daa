import type { components } from '@bomtrail/api-contract';
import { projectsWith, type Caller, type Projects } from '../api-keys/domain/caller';
import { json, route, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';
import type { Person } from './domain/person';
import { pageEnvelope, type PageRequest } from '../shared/page-envelope';
import { rights } from './domain/rights';
import { endSessions, listPeople, type ManagePeopleDeps } from './manage-people';

/** Who the caller is, and for administrators who was here. */
export function peopleRoutes(deps: ManagePeopleDeps): Routes {
  return {
    listPeople: route<{ query: PageRequest }>({
      receive: receiveNothing,
      handle: async ({ query }) => json(pageEnvelope(await listPeople(deps, query), query)),
    }),
    endSessions: route<{ path: { person_id: string }; query: { keys: boolean } }>({
      receive: receiveNothing,
      handle: async ({ path, query }) =>
        json(await endSessions(deps, { person_id: path.person_id.toLowerCase(), ...query })),
    }),
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
  if (identity.kind === 'key') {
    const person = identity.owner ? namesOf(identity.owner) : null;
    return { kind: 'key', person, roles: [], ...common };
  }
  return {
    kind: 'person',
    person: namesOf(identity),
    roles: identity.roles.map(({ role, projects }) => ({ role, project_ids: idsOf(projects) })),
    ...common,
  };
}

function namesOf({ issuer, subject, name, email }: Person): components['schemas']['Person'] {
  return { issuer, subject, name, email };
}

function idsOf(projects: Projects): string[] | null {
  return projects === 'all' ? null : [...projects];
}
