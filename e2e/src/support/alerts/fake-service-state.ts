import { randomUUID } from 'node:crypto';
import {
  AppError,
  checkScope,
  getProject,
  listAlertPeriods,
  listServiceStates,
  nameServices,
  type AlertPeriodView,
  type Severity,
} from '@bomtrail/messages';
import { handles } from '@bomtrail/messaging';
import type { TestBus } from '@bomtrail/testkit';

const ranks: Record<string, readonly Severity[]> = {
  critical: ['critical'],
  high: ['critical', 'high'],
  medium: ['critical', 'high', 'medium'],
  low: ['critical', 'high', 'medium', 'low', 'unknown'],
};
const scores: Partial<Record<Severity, number>> = { critical: 9.8, high: 7.5, medium: 5, low: 2 };

/** A project with one service whose vulnerabilities a test opens, in place of reconciler and catalog. */
export interface FakeServiceState {
  projectId: string;
  /** Opens a vulnerability of this name, or again one that is open: a new episode. */
  open(name: string, severity?: Severity): void;
  /** How often its lines were asked for: the checks that looked at it. */
  looks(): number;
}

/** Answers what a notifier asks of the other services, for any number of projects. */
export interface FakeServiceStates {
  add(): FakeServiceState;
}

interface Service {
  service_id: string;
  version: number;
  looks: number;
  vulnerabilities: Map<string, AlertPeriodView>;
}

export function fakeServiceStates(bus: TestBus): FakeServiceStates {
  const byProject = new Map<string, Service>();
  let last = Date.now();
  const serviceOf = (projectId: string): Service => {
    const service = byProject.get(projectId);
    if (!service) throw new AppError('project_not_found');
    return service;
  };
  const nameOf = (projectId: string): string => `Project ${projectId.slice(0, 8)}`;

  bus.serve(
    handles(checkScope, async ({ project_id }) => {
      serviceOf(project_id);
      return { body: { service_id: null } };
    }),
  );
  bus.serve(
    handles(getProject, async ({ project_id }) => {
      const id = project_id ?? '';
      serviceOf(id);
      const fields = { description: null, repo_url: null, platform: null };
      const unset = {
        ...fields,
        retention: null,
        service_levels: null,
        ships_products: false,
        embedded_vex: 'off' as const,
        license_policy: null,
        owner: null,
        labels: [],
      };
      const created_at = new Date(0).toISOString();
      const names = { id, slug: id, name: nameOf(id) };
      return { body: { ...names, ...unset, created_at, updated_at: null } };
    }),
  );
  bus.serve(
    handles(nameServices, async ({ service_ids }) => ({
      body: [...byProject].flatMap(([project_id, { service_id }]) =>
        service_ids.includes(service_id)
          ? [
              {
                service_id,
                project_id,
                project_name: nameOf(project_id),
                project_slug: project_id,
                service_name: 'shop',
              },
            ]
          : [],
      ),
    })),
  );
  bus.serve(
    handles(listServiceStates, async ({ project_id, after }) => {
      const service = serviceOf(project_id);
      if (after === null) service.looks += 1;
      const { service_id, version } = service;
      const states = after === null ? [{ service_id, version }] : [];
      return { body: { states, next: null, risk: { kev: 0, epss: 0 } } };
    }),
  );
  bus.serve(
    handles(listAlertPeriods, async ({ project_id, service_ids, threshold, after, limit }) => {
      const service = serviceOf(project_id);
      const vulnerabilities = service_ids.includes(service.service_id)
        ? [...service.vulnerabilities.values()]
        : [];
      const listed = vulnerabilities
        .filter(({ severity }) => ranks[threshold ?? 'critical']?.includes(severity))
        .filter(({ vulnerability_id }) => after === null || vulnerability_id > after)
        .sort((one, other) => (one.vulnerability_id < other.vulnerability_id ? -1 : 1));
      const alert_periods = listed.slice(0, limit);
      const next = listed.length > limit ? (alert_periods.at(-1)?.vulnerability_id ?? null) : null;
      return { body: { alert_periods, next } };
    }),
  );

  return {
    add() {
      const projectId = randomUUID();
      const service: Service = {
        service_id: randomUUID(),
        version: 1,
        looks: 0,
        vulnerabilities: new Map(),
      };
      byProject.set(projectId, service);
      return {
        projectId,
        open(name, severity = 'critical') {
          last = Math.max(last + 1, Date.now());
          const period_start = new Date(last).toISOString();
          service.vulnerabilities.set(name, {
            vulnerability_id: service.vulnerabilities.get(name)?.vulnerability_id ?? randomUUID(),
            service_id: service.service_id,
            period_start,
            notified_by: [period_start],
            severity,
            cvss_score: scores[severity] ?? null,
            cve_id: name,
            title: `About ${name}`,
            package_name: 'left-pad',
            package_version: '1.0.0',
            ecosystem: 'npm',
            fixed_versions: ['1.0.1'],
            first_seen_at: period_start,
            reaches_threshold: true,
            open_since: period_start,
            kev: null,
            exploited_known_at: null,
            epss_score: null,
          });
          service.version += 1;
        },
        looks: () => service.looks,
      };
    },
  };
}
