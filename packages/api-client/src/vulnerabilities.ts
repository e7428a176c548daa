import type { OwnedBy, Paging } from './projects';
import { sendForCsv, sendForJson, type Target } from './http';
import {
  longestPage,
  type Acceptance,
  type ActiveQuery,
  type RemediationPage,
  type Schemas,
  type Summary,
  type TrackedVulnerability,
  type TrackedVulnerabilityPage,
  type Vulnerability,
  type VulnerabilityPage,
} from './types';

/** Lists of vulnerabilities, and risk acceptances. */
export function vulnerabilityCalls(target: Target) {
  function listActive(query: ActiveQuery): Promise<VulnerabilityPage> {
    return sendForJson(
      target,
      { path: '/api/v1/vulnerabilities/active', query: { ...query } },
      'items',
    );
  }

  return {
    listActive,

    /** Vulnerabilities in all states, or in some: `open,fixed`. */
    vulnerabilities: (
      query: ActiveQuery & { status?: string },
    ): Promise<TrackedVulnerabilityPage> =>
      sendForJson(target, { path: '/api/v1/vulnerabilities', query: { ...query } }, 'items'),

    /** All of them as CSV, in pieces of text. */
    vulnerabilitiesCsv: (query: ActiveQuery & { status?: string }): AsyncGenerator<string> =>
      sendForCsv(target, { path: '/api/v1/vulnerabilities', query: { ...query } }),

    /** One vulnerability with its timeline. */
    vulnerability: (id: string): Promise<TrackedVulnerability> =>
      sendForJson(target, { path: `/api/v1/vulnerabilities/${id}` }, 'id'),

    /** All pages of the active list. */
    async allActive(query: ActiveQuery): Promise<Vulnerability[]> {
      const items: Vulnerability[] = [];
      for (let page = 1; ; page++) {
        const read = await listActive({ ...query, page, per_page: longestPage });
        items.push(...read.items);
        if (!read.has_more) return items;
      }
    },

    /** One page of the upgrade plan, most risk removed first. */
    remediations: (
      query: OwnedBy & {
        project_id?: string;
        service_id?: string;
        page?: number;
        per_page?: number;
      } = {},
    ): Promise<RemediationPage> =>
      sendForJson(target, { path: '/api/v1/remediations', query: { ...query } }, 'items'),

    summary: (query: { project_id?: string; service_id?: string }): Promise<Summary> =>
      sendForJson(target, { path: '/api/v1/vulnerabilities/summary', query }, 'total'),

    accept: (body: Schemas['RiskAcceptanceCreate']): Promise<Acceptance> =>
      sendForJson(
        target,
        { method: 'POST', path: '/api/v1/vulnerabilities/acceptances', body },
        'id',
      ),

    /** Decides about many vulnerabilities, each in its package of its service. */
    decideInBulk: (body: Schemas['BulkDecisionCreate']): Promise<Schemas['BulkDecision']> =>
      sendForJson(
        target,
        { method: 'POST', path: '/api/v1/vulnerabilities/acceptances/bulk', body },
        'id',
      ),

    /** Decides about everything that a filter selects in a project, now and later. */
    createDecisionRule: (
      projectId: string,
      body: Schemas['DecisionRuleCreate'],
    ): Promise<Schemas['DecisionRule']> =>
      sendForJson(
        target,
        {
          method: 'POST',
          path: `/api/v1/projects/${projectId}/decision-rules`,
          body,
        },
        'id',
      ),

    /** One page of standing rules, newest first. */
    decisionRules: (projectId: string, paging: Paging = {}): Promise<Schemas['DecisionRulePage']> =>
      sendForJson(
        target,
        {
          path: `/api/v1/projects/${projectId}/decision-rules`,
          query: { ...paging },
        },
        'items',
      ),

    deleteDecisionRule: (id: string): Promise<void> =>
      sendForJson(target, { method: 'DELETE', path: `/api/v1/decision-rules/${id}` }),

    /** One page of acceptances, newest first; of all projects without one. */
    listAcceptances: (
      projectId: string | undefined,
      paging: Paging = {},
    ): Promise<Schemas['RiskAcceptancePage']> =>
      sendForJson(
        target,
        {
          path: '/api/v1/vulnerabilities/acceptances',
          query: { project_id: projectId, ...paging },
        },
        'items',
      ),

    /** All of them as CSV, in pieces of text. */
    acceptancesCsv: (projectId: string | undefined): AsyncGenerator<string> =>
      sendForCsv(target, {
        path: '/api/v1/vulnerabilities/acceptances',
        query: { project_id: projectId },
      }),

    /** What is known to be exploited in a project, with its history and deadlines. */
    exploitedEvidence: (
      projectId: string,
      paging: { page: number; per_page: number },
    ): Promise<Schemas['ExploitedEvidencePage']> =>
      sendForJson(
        target,
        {
          path: `/api/v1/projects/${projectId}/exploited-evidence`,
          query: { ...paging },
        },
        'items',
      ),

    /** All of it as CSV, in pieces of text. */
    exploitedEvidenceCsv: (projectId: string): AsyncGenerator<string> =>
      sendForCsv(target, { path: `/api/v1/projects/${projectId}/exploited-evidence` }),

    revokeAcceptance: (id: string): Promise<void> =>
      sendForJson(target, { method: 'DELETE', path: `/api/v1/vulnerabilities/acceptances/${id}` }),
  };
}
