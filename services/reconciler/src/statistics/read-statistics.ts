import {
  isInScope,
  severities,
  type DayStatistics,
  type ProjectScope,
  type Severity,
} from '@bomtrail/messages';
import type { DeletionStore } from '../deletion/ports';
import { dayMs, dayOf, fixTimes, type Counts } from './domain/daily-statistics';
import type { DayDocument, StatisticsStore } from './ports';
import { addTo } from '../tracking/domain/grouped';

export interface ReadStatisticsDeps {
  statistics: StatisticsStore;
  deletions: Pick<DeletionStore, 'hidden'>;
}

/** The stored statistics of a project, or the sums over all that are not deleted, up to today. */
export async function readStatistics(
  { statistics, deletions }: ReadStatisticsDeps,
  query: { project_id?: ProjectScope | undefined; days: number },
): Promise<{ days: DayStatistics[]; computed_at: string | null }> {
  const { project_id } = query;
  const from = dayOf(Date.now() - (query.days - 1) * dayMs);
  const { projects: without } = await deletions.hidden({ project_id });
  if (typeof project_id === 'string' && without.includes(project_id))
    return { days: [], computed_at: null };
  const progress = await statistics.progress();
  const computed = [...progress.values()]
    .filter(({ _id }) => !without.includes(_id) && isInScope(project_id, _id))
    .map(({ computed_at }) => computed_at.toISOString());
  const byDay = new Map<string, DayDocument[]>();
  for await (const one of statistics.period({ project_id, without }, from))
    addTo(byDay, one.day, one);
  const days = [...byDay.values()].map(dayStatistics).sort((a, b) => (a.day < b.day ? -1 : 1));
  return { days, computed_at: computed.sort()[0] ?? null };
}

/** @param projects the same day of several projects, at least one */
function dayStatistics(projects: readonly DayDocument[]): DayStatistics {
  const sum = (countsOf: (one: DayDocument) => Counts): Record<Severity, number> =>
    bySeverity((severity) =>
      projects.reduce((total, one) => total + (countsOf(one)[severity] ?? 0), 0),
    );
  const oldest = projects.flatMap(({ oldest: time }) => time ?? []);
  const known = projects.flatMap(({ components }) => components ?? []);
  const total = known.reduce((all, one) => all + one.total, 0);
  const undetermined = known.reduce((all, one) => all + one.undetermined, 0);
  return {
    day: projects[0]?.day ?? '',
    open: sum(({ open }) => open),
    opened: sum(({ opened }) => opened),
    fixed: sum(({ fixed }) => fixed),
    accepted: sum(({ accepted }) => accepted),
    overdue: sum(({ overdue }) => overdue),
    time_to_fix: bySeverity((severity) =>
      fixTimes(projects.flatMap(({ fix_seconds }) => fix_seconds[severity] ?? [])),
    ),
    oldest_open_at:
      oldest.length > 0 ? new Date(oldest.reduce((a, b) => Math.min(a, b))).toISOString() : null,
    undetermined_share: total > 0 ? undetermined / total : null,
  };
}

function bySeverity<Value>(valueOf: (severity: Severity) => Value): Record<Severity, Value> {
  const entries = severities.map((severity) => [severity, valueOf(severity)] as const);
  return Object.fromEntries(entries) as Record<Severity, Value>;
}
