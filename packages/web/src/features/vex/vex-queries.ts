import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';

/** Documents that apply in a project, the one changed last first; those for all projects included. */
export function vexDocuments(projectId: string, page: number) {
  const query = { project_id: projectId, page, per_page: 25 };
  return queryOptions({
    queryKey: ['vex', 'list', query],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/vex', { params: { query }, signal })),
  });
}

/** A document with what each of its statements decided; asked again while services are not evaluated. */
export function vexDocument(vexId: string) {
  return queryOptions({
    queryKey: ['vex', vexId],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/vex/{vex_id}', { params: { path: { vex_id: vexId } }, signal })),
    refetchInterval: ({ state }) => ((state.data?.pending_services ?? 0) > 0 ? 5_000 : false),
  });
}

export const decisionRulesKey = ['decision-rules'] as const;

/** The standing rules of a project, newest first: at most 100. */
export function decisionRules(projectId: string) {
  return queryOptions({
    queryKey: [...decisionRulesKey, projectId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/api/v1/projects/{project_id}/decision-rules', {
          params: { path: { project_id: projectId }, query: { per_page: 200 } },
          signal,
        }),
      ),
  });
}
