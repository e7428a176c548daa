import { z } from 'zod';
import { rpc } from '../define';
import { projectScope, type Severity } from './fields';

/** The longest period of `read-statistics`: two years. */
export const maxStatisticsDays = 731;

/** Times to fix of the vulnerabilities fixed on a day; null without any. */
export type FixTimes = { count: number; mean_seconds: number; median_seconds: number } | null;

/** The statistics of one day (UTC), see docs/statistics.md. */
export interface DayStatistics {
  day: string;
  open: Record<Severity, number>;
  opened: Record<Severity, number>;
  fixed: Record<Severity, number>;
  accepted: Record<Severity, number>;
  overdue: Record<Severity, number>;
  time_to_fix: Record<Severity, FixTimes>;
  oldest_open_at: string | null;
  /** Share of the components that could not be judged, 0 to 1; null: unknown. */
  undetermined_share: number | null;
}

/**
 * The last `days` days of one project or of all, ascending. Days before the first SBOM are left out.
 * `computed_at`: the oldest computation that the numbers are from; null: none yet.
 */
export const readStatistics = rpc<{ days: DayStatistics[]; computed_at: string | null }>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'read-statistics.v1',
  request: z.object({
    project_id: projectScope.optional(),
    days: z.number().int().min(1).max(maxStatisticsDays),
  }),
  timeoutMs: 30_000,
});
