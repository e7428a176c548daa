import { queryOptions, useQuery } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../api/client';

export type Right = Schemas['Right'];

/** Who is signed in, and what they may do where. Rights of a person follow their groups. */
export function me() {
  return queryOptions({
    queryKey: ['me'],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/me', { signal })),
    staleTime: 60_000,
    gcTime: Infinity,
  });
}

/** Whether the caller may do this in a project at least. False until it is known: nothing is offered and taken back. */
export function useMay(right: Right): boolean {
  return useRights().has(right);
}

/** All that the caller may do in a project at least; empty until it is known. */
export function useRights(): ReadonlySet<Right> {
  return new Set(useQuery(me()).data?.rights.map(({ right }) => right));
}
