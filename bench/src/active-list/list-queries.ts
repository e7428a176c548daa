/** One question for the first page of the active list. */
export interface ListQuery {
  scope: ListScope;
  sort: ListSort;
  order: 'asc' | 'desc';
  /** With the query string. */
  path: string;
}

export type ListScope = 'everything' | 'severities' | 'project';

export const listSorts = [
  'cvss_score',
  'severity',
  'cve_id',
  'package_name',
  'first_seen_at',
  'published_at',
  'epss_score',
] as const;
export type ListSort = (typeof listSorts)[number];

/** What `severities` stands for. */
export const queriedSeverities = ['critical', 'high'] as const;

/** The first page of everything, of two severities and of one project, each in every order. */
export function listQueries(projectId: string): ListQuery[] {
  const scopes: Record<ListScope, string> = {
    everything: '',
    severities: `severity=${queriedSeverities.join()}&`,
    project: `project_id=${projectId}&`,
  };
  return (Object.keys(scopes) as ListScope[]).flatMap((scope) =>
    listSorts.flatMap((sort) =>
      (['desc', 'asc'] as const).map((order) => ({
        scope,
        sort,
        order,
        path: `/api/v1/vulnerabilities/active?${scopes[scope]}sort=${sort}&order=${order}`,
      })),
    ),
  );
}
