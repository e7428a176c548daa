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

/**
 * Whether the caller may do this in a project, or without one in some project at least. False until it is known: nothing
 * is offered and taken back.
 */
export function useMay(right: Right, projectId?: string): boolean {
  return useMayIn(right)(projectId);
}

/** The same for many projects. */
export function useMayIn(right: Right): (projectId?: string) => boolean {
  const own = useQuery(me()).data?.rights.find((one) => one.right === right);
  return (projectId) => {
    if (!own) return false;
    return projectId === undefined || (own.project_ids?.includes(projectId) ?? true);
  };
}

/** Whether the caller sees all projects; what is claimed of all is true of those that they see only. */
export function useSeesAll(): boolean {
  const seen = useQuery(me()).data?.rights.find(({ right }) => right === 'read')?.project_ids;
  return (seen ?? null) === null;
}

/** All that the caller may do in a project at least; empty until it is known. */
export function useRights(): ReadonlySet<Right> {
  return new Set(useQuery(me()).data?.rights.map(({ right }) => right));
}
