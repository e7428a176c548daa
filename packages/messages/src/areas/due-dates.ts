import type { ServiceLevels } from './fields';
import type { DueLimits } from './list-filters';
import type { LevelledProjects } from './names';
import type { VulnerabilityView } from './reconciler';

const dayMs = 86_400_000;

/**
 * Until when a vulnerability is to be fixed by the service levels of its project (docs/statistics.md, ST7);
 * null without a level for its severity, without a time of detection, or if it is fixed.
 */
export function dueAt(
  { detected_at, severity, status }: Pick<VulnerabilityView, 'detected_at' | 'severity' | 'status'>,
  levels: ServiceLevels | undefined,
): string | null {
  const days = levels?.[severity] ?? null;
  if (days === null || detected_at === null || status === 'fixed') return null;
  return new Date(Date.parse(detected_at) + days * dayMs).toISOString();
}

/**
 * ST7 as the filter `overdue` takes it: before which time the vulnerabilities were detected that are due at a time
 * (milliseconds). Projects without a level are left out.
 */
export function dueLimits(projects: readonly LevelledProjects[], at: number): DueLimits[] {
  return projects.flatMap(({ service_levels, project_ids }) => {
    const limits = Object.entries(service_levels).flatMap(([severity, days]) =>
      days === null ? [] : [[severity, new Date(at - days * dayMs).toISOString()] as const],
    );
    const detected_before = Object.fromEntries(limits) as DueLimits['detected_before'];
    return limits.length === 0 ? [] : [{ project_ids, detected_before }];
  });
}
