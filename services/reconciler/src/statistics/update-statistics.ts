import {
  AppError,
  getProject,
  maxStatisticsDays,
  maxSetsRead,
  readCoverages,
  type ServiceLevels,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { Logger } from '@bomtrail/telemetry';
import { LRUCache } from 'lru-cache';
import {
  dailyStatistics,
  dayMs,
  dayOf,
  daysBetween,
  type DayCounts,
} from './domain/daily-statistics';
import { stretchesOf, type Stretch } from './domain/stretches';
import { presenceOf } from '../tracking/store/vulnerability-mapping';
import { sameValue } from '../tracking/domain/same-value';
import type { DayDocument, ProgressDocument, StatisticsFacts, StatisticsStore } from './ports';

export interface UpdateStatisticsDeps {
  statistics: StatisticsStore;
  statisticsFacts: StatisticsFacts;
  request: Request;
  /** Share of components that could not be judged, by component set. */
  coverages: Coverages;
}

/** Counts of a component set; null: it was never evaluated. */
type SetCoverage = { total: number; undetermined: number };
export type Coverages = LRUCache<string, SetCoverage>;

/** Coverage changes with the advisories only. */
const coverageMs = 10 * 60_000;
/** More sets are not asked for: their share is unknown then. */
const maxSets = 2_000;
/** Service levels are read again at least as often. */
const freshMs = 60 * 60_000;
/** A project whose vulnerabilities take longer to read waits, so that they take at most this share of the time. */
const long = { ms: 3_000, share: 1 / 20 };

export function createCoverages(): Coverages {
  return new LRUCache({ max: 20_000, ttl: coverageMs });
}

/**
 * Computes the daily statistics of the projects that changed since the last round, and of all on a new
 * day, and writes the days that differ. Very large projects are computed less often. A failing project
 * does not stop the others; the next round tries again.
 *
 * @throws AppError `service_unavailable` if another service is away: the other projects need it, too; the last other
 *   failure, after all projects
 * @param until projects after this time (milliseconds) are left to the next round
 * @returns the number of days that were written
 */
export async function updateStatistics(
  deps: UpdateStatisticsDeps,
  at: { now: Date; until: number; log: Logger },
): Promise<number> {
  const [fingerprints, progress] = await Promise.all([
    deps.statisticsFacts.fingerprints(),
    deps.statistics.progress(),
  ]);
  let written = 0;
  let failure: Error | null = null;
  for (const [project_id, fingerprint] of fingerprints) {
    const known = progress.get(project_id);
    if (known && isCurrent(known, fingerprint, at.now)) continue;
    if (Date.now() >= at.until) break;
    try {
      written += await updateProject(deps, { project_id, fingerprint, now: at.now });
    } catch (error) {
      if (error instanceof AppError && error.code === 'service_unavailable') throw error;
      failure = error as Error;
      const reason = failure.message;
      at.log.warn({ project_id, reason }, 'Computing statistics failed; it will be retried.');
    }
  }
  if (failure) throw failure;
  return written;
}

/** On a new day all are out of date. */
function isCurrent(known: ProgressDocument, fingerprint: string, now: Date): boolean {
  const { computed_at, not_before } = known;
  if (dayOf(computed_at.getTime()) !== dayOf(now.getTime())) return false;
  if (not_before && not_before > now) return true;
  return known.fingerprint === fingerprint && now.getTime() - computed_at.getTime() < freshMs;
}

async function updateProject(
  deps: UpdateStatisticsDeps,
  { project_id, fingerprint, now }: { project_id: string; fingerprint: string; now: Date },
): Promise<number> {
  const today = dayOf(now.getTime());
  const oldest = dayOf(now.getTime() - (maxStatisticsDays - 1) * dayMs);
  const levels = await levelsOf(deps, project_id);
  if (levels === 'no project') return 0;
  const began = performance.now();
  const stretches = await stretchesOfProject(deps, project_id);
  const took = performance.now() - began;
  const stored = await deps.statistics.stored(project_id, oldest);
  const first = [...stretches.map(({ from }) => dayOf(from)), stored[0]?.day ?? today].sort()[0];
  const days = daysBetween((first ?? today) > oldest ? (first ?? today) : oldest, today);
  const components = await componentsOf(deps, project_id);
  const byDay = new Map(stored.map((one) => [one.day, one]));
  const changed = dailyStatistics(stretches, days, levels).flatMap((counts): DayDocument[] => {
    const known = byDay.get(counts.day);
    const document = documentOf(
      project_id,
      counts,
      counts.day === today ? components : known?.components,
    );
    return sameValue(known, document) ? [] : [document];
  });
  const not_before = took < long.ms ? null : new Date(Date.now() + took / long.share);
  const progress = {
    _id: project_id,
    fingerprint,
    computed_at: now,
    ...(not_before && { not_before }),
  };
  const saved = await deps.statistics.save(progress, changed, oldest);
  return saved === 'saved' ? changed.length : 0;
}

function documentOf(
  project_id: string,
  counts: DayCounts,
  components: SetCoverage | undefined | null,
): DayDocument {
  const document = { _id: `${project_id} ${counts.day}`, project_id, ...counts };
  return components ? { ...document, components } : document;
}

async function levelsOf(
  { request }: UpdateStatisticsDeps,
  project_id: string,
): Promise<ServiceLevels | null | 'no project'> {
  try {
    return (await request(getProject, { project_id, project_slug: null })).body.service_levels;
  } catch (error) {
    if (error instanceof AppError && error.code === 'project_not_found') return 'no project';
    throw error;
  }
}

async function stretchesOfProject(
  { statisticsFacts }: UpdateStatisticsDeps,
  projectId: string,
): Promise<Stretch[]> {
  const decisions = await statisticsFacts.decisions(projectId);
  const stretches: Stretch[] = [];
  for await (const services of statisticsFacts.facts(projectId, decisions)) {
    for (const { versions, vulnerabilities } of services)
      for (const { one, count, severity = 'unknown', ...times } of vulnerabilities) {
        const accepted = one ? decisions.acceptedTimes(one) : [];
        const facts = { count, severity, presence: presenceOf(times), accepted };
        for (const stretch of stretchesOf(facts, versions)) stretches.push(stretch);
      }
  }
  return stretches;
}

/** The components of the newest SBOMs; null if a set is unknown or there are too many. */
async function componentsOf(
  { statisticsFacts, request, coverages }: UpdateStatisticsDeps,
  projectId: string,
): Promise<SetCoverage | null> {
  const digests = await statisticsFacts.newestDigests(projectId);
  const distinct = [...new Set(digests)];
  if (distinct.length > maxSets) return null;
  const unread = distinct.filter((digest) => !coverages.has(digest));
  for (let from = 0; from < unread.length; from += maxSetsRead) {
    const read = await coveragesOf(request, unread.slice(from, from + maxSetsRead));
    if (!read) return null;
    for (const [digest, one] of read) coverages.set(digest, one);
  }
  const sum = { total: 0, undetermined: 0 };
  for (const digest of digests) {
    const known = coverages.get(digest);
    if (!known) return null;
    sum.total += known.total;
    sum.undetermined += known.undetermined;
  }
  return sum;
}

/** Sets that the scanner does not know are missing; null while it is away. */
async function coveragesOf(
  request: Request,
  digests: string[],
): Promise<[string, SetCoverage][] | null> {
  try {
    const { coverages } = (await request(readCoverages, { digests })).body;
    return Object.entries(coverages).map(([digest, { components, evaluated }]) => [
      digest,
      { total: components, undetermined: components - evaluated },
    ]);
  } catch (error) {
    if (error instanceof AppError && error.code === 'service_unavailable') return null;
    throw error;
  }
}
