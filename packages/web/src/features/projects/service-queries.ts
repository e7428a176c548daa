import { keepPreviousData, queryOptions, type QueryClient } from '@tanstack/react-query';
import { api, bodyOf, type Schemas } from '../../api/client';
import {
  countOf,
  findingDetail,
  readFindings,
  vulnerabilitiesKey,
} from '../findings/findings-queries';
import { everyStatus } from '../findings/findings-search';
import { projectsKey } from './projects-queries';
import { versionChanges } from './version-changes';
import { wayToPass } from './way-to-pass';

export type Version = Schemas['ProjectSBOMHistoryItem'];

/** SBOMs of a service on one page of its timeline, newest first. */
export function serviceVersions(scope: { projectId: string; serviceId: string }, page: number) {
  const params = {
    path: { project_id: scope.projectId },
    query: { service_id: scope.serviceId, page, per_page: 100 },
  };
  return queryOptions({
    queryKey: [...projectsKey, 'versions', scope, page],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/api/v1/projects/{project_id}/history', { params, signal })),
    placeholderData: keepPreviousData,
  });
}

/** The most findings of a service that are read: ten requests. */
const mostFindings = 1_000;

/** Of findings that came back after a fix the events are asked for one by one: a few are enough. */
const mostReopened = 30;

/** What each SBOM of a service opened and fixed, by the newest of its findings. */
export function serviceChanges(queries: QueryClient, serviceId: string) {
  const search = {
    service_id: serviceId,
    status: everyStatus,
    sort: 'first_seen_at',
  } as const;
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'service', serviceId],
    queryFn: async () => {
      const { total } = await queries.fetchQuery(countOf(search));
      const last = Math.min(total, mostFindings) - 1;
      const findings = last < 0 ? [] : await readFindings(queries, search, [0, last]);
      const reopened = findings.filter((finding) => finding.reopened > 0);
      const events = await Promise.all(
        reopened.slice(0, mostReopened).map(async ({ id }) => {
          const { timeline } = await queries.fetchQuery(findingDetail(id));
          return [id, timeline] as const;
        }),
      );
      return {
        changes: versionChanges(findings, new Map(events)),
        read: findings.length,
        total,
        /** Findings that came back, of which the timeline has only the first and the last SBOM. */
        unfollowed: Math.max(reopened.length - mostReopened, 0),
      };
    },
  });
}

/** The findings that fail the usual gate, as a filter of lists. */
export const gateFilter = { severity: 'critical,high', has_fix: 'true' } as const;

/**
 * Whether a build with this SBOM would pass the usual gate: nothing of severity high or worse that
 * has a fix. Of fixable findings, because only such a verdict leaves the baselines of builds alone.
 */
export function gateOf(sbomId: string) {
  const params = {
    path: { sbom_id: sbomId },
    query: { fail_on: 'high', only_fixable: true },
  } as const;
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'gate', sbomId],
    queryFn: ({ signal }) => bodyOf(api.GET('/api/v1/sboms/{sbom_id}/verdict', { params, signal })),
    retry: false,
  });
}

/** A finding that fails a gate, of the verdict or of the list. */
export type FailingFinding = Pick<
  Schemas['FailingVulnerability'],
  'id' | 'cve_id' | 'package_name' | 'purl'
>;

/** Packages of an upgrade plan that are read: a page of the API. */
const mostLines = 200;

/**
 * Which upgrades make a gate pass that fails. The verdict has the most severe findings; of more the list has up to
 * a thousand.
 */
export function wayOut(
  queries: QueryClient,
  scope: { project_id: string; service_id: string },
  verdict: Schemas['SbomVerdict'],
) {
  const { sbom_id, failing, failing_total } = verdict;
  return queryOptions({
    queryKey: [...vulnerabilitiesKey, 'way-out', sbom_id, failing_total],
    queryFn: async ({ signal }) => {
      const query = { ...scope, per_page: mostLines };
      const last = Math.min(failing_total, mostFindings) - 1;
      const found: Promise<readonly FailingFinding[]> | readonly FailingFinding[] =
        failing_total > failing.length
          ? readFindings(queries, { ...scope, ...gateFilter }, [0, last])
          : failing;
      const [plan, known] = await Promise.all([
        bodyOf(api.GET('/api/v1/remediations', { params: { query }, signal })),
        found,
      ]);
      const { items, complete, has_more } = plan;
      return { ...wayToPass(known, items), read: known.length, complete: complete && !has_more };
    },
  });
}
