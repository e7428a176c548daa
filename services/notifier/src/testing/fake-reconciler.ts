import { randomUUID } from 'node:crypto';
import * as messages from '@bomtrail/messages';
import { AppError, alertThresholds, type AlertThreshold, type Severity } from '@bomtrail/messages';
import { handles } from '@bomtrail/messaging';
import type { TestBus } from '@bomtrail/testkit';

/** A row of the reconciler: with which severity it is listed, and since when at or above each threshold. */
export interface FakeVulnerability {
  id: string;
  severity: Severity;
  cve_id: string;
  since: Partial<Record<AlertThreshold | 'open', string>>;
  kev: messages.KevEntry | null;
  knownAt: string | null;
  epss: number | null;
}

interface FakeService {
  id: string;
  projectId: string;
  name: string | null;
  version: number;
  rows: Map<string, FakeVulnerability>;
}

export type FakeReconciler = ReturnType<typeof fakeReconcilerService>;

const atOrAbove: Record<AlertThreshold, readonly Severity[]> = {
  critical: ['critical'],
  high: ['critical', 'high'],
  medium: ['critical', 'high', 'medium'],
  low: ['critical', 'high', 'medium', 'low', 'unknown'],
};

/** Plays what the catalog and the reconciler answer to the notifier: projects, lines and their rows. */
export function fakeReconcilerService(bus: TestBus) {
  const projects = new Set<string>();
  const levels = new Map<string, messages.ServiceLevels>();
  const services = new Map<string, FakeService>();
  const requested: { states: string[]; services: string[] } = { states: [], services: [] };
  const risk: messages.RiskRevisions = { kev: 0, epss: 0 };
  const hooks = {
    beforeServiceStates: async (_projectId: string) => {},
    afterCheckScope: async () => {},
    beforeGetProject: async () => {},
  };
  let moment = Date.parse('2026-01-01T00:00:00Z');
  const nextMoment = () => new Date((moment += 1000)).toISOString();

  const checkProject = (projectId: string): void => {
    if (!projects.has(projectId)) throw new AppError('project_not_found');
  };
  bus.serve(
    handles(messages.checkScope, async ({ project_id }) => {
      checkProject(project_id);
      await hooks.afterCheckScope();
      return { body: { service_id: null } };
    }),
  );
  bus.serve(
    handles(messages.getProject, async ({ project_id }) => {
      await hooks.beforeGetProject();
      checkProject(project_id ?? '');
      return {
        body: {
          name: `Project ${project_id}`,
          ships_products: false,
          service_levels: levels.get(project_id ?? '') ?? null,
        } as messages.ProjectView,
      };
    }),
  );
  bus.serve(
    handles(messages.nameServices, async ({ service_ids }) => ({
      body: service_ids.flatMap((id) => {
        const service = services.get(id);
        if (!service) return [];
        const { projectId: project_id, name: service_name } = service;
        return [{ service_id: id, project_id, project_name: '', service_name }];
      }),
    })),
  );
  bus.serve(
    handles(messages.listServiceStates, async ({ project_id, after, limit }) => {
      await hooks.beforeServiceStates(project_id);
      if (after === null) requested.states.push(project_id);
      const all = [...services.values()]
        .filter((service) => service.projectId === project_id && service.id > (after ?? ''))
        .sort((one, other) => (one.id < other.id ? -1 : 1));
      const page = all.slice(0, limit);
      const next = all.length > limit ? (page.at(-1)?.id ?? null) : null;
      return {
        body: {
          states: page.map(({ id, version }) => ({ service_id: id, version })),
          next,
          risk: { ...risk },
        },
      };
    }),
  );
  bus.serve(
    handles(messages.listAlertPeriods, async (query) => {
      const { service_ids, threshold, after, limit } = query;
      if (after === null) requested.services.push(...service_ids);
      const all = [...service_ids].sort().flatMap((id) => {
        const service = services.get(id);
        const rows = [...(service?.rows.values() ?? [])].filter((row) => hasReason(row, query));
        return rows
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .map((row) => alertPeriodView(row, id, threshold));
      });
      const from = Number(after ?? 0);
      const next = all.length > from + limit ? String(from + limit) : null;
      return { body: { alert_periods: all.slice(from, from + limit), next } };
    }),
  );

  return {
    requested,
    hooks,
    /** Service levels by project. */
    levels,
    newProject(): string {
      const projectId = randomUUID();
      projects.add(projectId);
      return projectId;
    },
    newService(projectId: string, name: string | null = 'web'): string {
      const id = randomUUID();
      services.set(id, { id, projectId, name, version: 1, rows: new Map() });
      return id;
    },
    /** Opens a row, or begins another episode of it at every threshold. */
    open(serviceId: string, severity: Severity, id: string = randomUUID()): FakeVulnerability {
      const now = nextMoment();
      const since: FakeVulnerability['since'] = { open: now };
      for (const threshold of alertThresholds)
        if (atOrAbove[threshold].includes(severity)) since[threshold] = now;
      const row: FakeVulnerability = {
        id,
        severity,
        cve_id: `CVE-${id}`,
        since,
        kev: null,
        knownAt: null,
        epss: null,
      };
      change(serviceId, (rows) => rows.set(id, row));
      return row;
    },
    /** Raises or lowers a row: episodes begin at thresholds that it was below. */
    judge(serviceId: string, row: FakeVulnerability, severity: Severity): void {
      const now = nextMoment();
      for (const threshold of alertThresholds) {
        const isAbove = atOrAbove[threshold].includes(severity);
        if (isAbove && !atOrAbove[threshold].includes(row.severity)) row.since[threshold] = now;
      }
      row.severity = severity;
      change(serviceId, () => {});
    },
    /** A feed's new day: changes no service state, unlike everything else. */
    rate(row: FakeVulnerability, values: { kev?: string | null; epss?: number | null }): void {
      const { kev, epss } = values;
      if (kev !== undefined) {
        row.kev = kev === null ? null : { date_added: kev, due_date: null, ransomware: false };
        row.knownAt ??= nextMoment();
        risk.kev += 1;
      }
      if (epss !== undefined) {
        row.epss = epss;
        risk.epss += 1;
      }
    },
    close: (serviceId: string, id: string) => change(serviceId, (rows) => rows.delete(id)),
    dropService: (serviceId: string) => services.delete(serviceId),
  };

  function change(
    serviceId: string,
    apply: (rows: Map<string, FakeVulnerability>) => unknown,
  ): void {
    const service = services.get(serviceId);
    if (!service) throw new Error(`No line ${serviceId}`);
    apply(service.rows);
    service.version++;
  }
}

/** What a rule asks for. */
interface Reasons {
  threshold: AlertThreshold | null;
  kev: boolean;
  min_epss: number | null;
}

function reaches({ severity }: FakeVulnerability, threshold: AlertThreshold | null): boolean {
  return threshold !== null && atOrAbove[threshold].includes(severity);
}

function hasReason(row: FakeVulnerability, { threshold, kev, min_epss }: Reasons): boolean {
  if (reaches(row, threshold) || (kev && row.kev !== null)) return true;
  return min_epss !== null && row.epss !== null && row.epss >= min_epss;
}

function alertPeriodView(
  row: FakeVulnerability,
  service_id: string,
  threshold: AlertThreshold | null,
): messages.AlertPeriodView {
  const above = threshold && alertThresholds.slice(0, alertThresholds.indexOf(threshold) + 1);
  const notified_by = [...new Set((above ?? []).flatMap((one) => row.since[one] ?? []))];
  const period_start = (threshold && row.since[threshold]) ?? row.since.open ?? '';
  return {
    vulnerability_id: row.id,
    service_id,
    period_start,
    notified_by,
    reaches_threshold: reaches(row, threshold),
    open_since: row.since.open ?? '',
    kev: row.kev,
    exploited_known_at: row.kev && row.knownAt,
    epss_score: row.epss,
    severity: row.severity,
    cvss_score: null,
    cve_id: row.cve_id,
    title: 'A title',
    package_name: 'left-pad',
    package_version: '1.0.0',
    ecosystem: 'npm',
    fixed_versions: ['1.0.1'],
    first_seen_at: period_start,
  };
}
