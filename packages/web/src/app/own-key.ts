import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../api/client';

export type Right = Schemas['ApiKeyScope'];

/** What the key that is signed in may do; a key never changes. */
export function ownKey() {
  return queryOptions({
    queryKey: ['own-key'],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/api-keys/self', { signal })),
    staleTime: Infinity,
    gcTime: Infinity,
  });
}

/** Whether the key may do this. False until it is known: nothing is offered and taken back. */
export function useMay(right: Right): boolean {
  return useQuery(ownKey()).data?.scopes.includes(right) ?? false;
}

/** Whether the key may create projects: it may write, and is bound to none. */
export function useMayCreateProjects(): boolean {
  const { data } = useQuery(ownKey());
  return data !== undefined && data.scopes.includes('write') && data.project_id === null;
}
