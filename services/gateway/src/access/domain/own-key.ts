import type { ApiKeyRecord } from '../../api-keys/domain/api-key';
import type { Caller, Grant, Projects } from '../../api-keys/domain/caller';
import { ownGrant } from './person';
import { rightsOfRole, rightsOfScopes, type Role } from './rights';

/** A key of one's own is valid at most this long. */
export const ownKeyDays = 90;
/** Maximum keys of a person that are not revoked. */
export const maxOwnKeys = 20;
/** So long after the provider last said what a person may do, their keys still may. */
export const confirmedDays = 14;
/** What a key of one's own may be for: none of these manages keys, so that no key outlives its person's rights. */
export const ownKeyScopes = ['read', 'upload', 'write'] as const;
export type OwnKeyScope = (typeof ownKeyScopes)[number];

/** What the provider said last about a person. */
export interface Confirmation {
  roles: readonly { role: Role; projects: Projects }[];
  confirmed_at: Date;
}

/**
 * AK5 The caller with a person's own key: what its scopes and the person's present roles both allow, in its project. Nothing
 * if the provider has not confirmed the person for two weeks (null: never).
 */
export function callerOfOwnKey(
  key: ApiKeyRecord,
  confirmation: Confirmation | null,
  now: Date,
): Caller {
  const { id, prefix, name, scopes, owner, projectId, expiresAt } = key;
  const isConfirmed =
    confirmation !== null &&
    now.getTime() - confirmation.confirmed_at.getTime() <= confirmedDays * 86_400_000;
  return {
    id,
    identity: { kind: 'key', prefix, name, scopes, ...(owner && { owner }) },
    grants: [ownGrant, ...(isConfirmed ? grantsOf(confirmation, { scopes, projectId }) : [])],
    projects: [],
    expiresAt,
  };
}

function grantsOf(
  { roles }: Pick<Confirmation, 'roles'>,
  { scopes, projectId }: Pick<ApiKeyRecord, 'scopes' | 'projectId'>,
): Grant[] {
  const ofScopes = rightsOfScopes(scopes);
  return roles.map(({ role, projects }) => ({
    rights: new Set(rightsOfRole[role].filter((right) => ofScopes.has(right))),
    projects: within(projects, projectId),
  }));
}

/** Of these projects the one that a key is bound to; all of them if it is bound to none. */
function within(projects: Projects, projectId: string | null): Projects {
  if (projectId === null) return projects;
  return projects === 'all' || projects.includes(projectId) ? [projectId] : [];
}
