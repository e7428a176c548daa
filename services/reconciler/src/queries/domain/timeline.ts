import { appliesTo, statusOf } from '../../tracking/domain/assign-status';
import type {
  ActiveDecision,
  SbomVersion,
  TrackedVulnerability,
  PresenceInterval,
} from '../../tracking/domain/types';

/** A risk acceptance with its times. */
export interface TimedDecision extends ActiveDecision {
  id: string;
  created_at: string;
  /** Its expiry was recorded: it is over, whatever the clock of a process shows. */
  lapsed: boolean;
}

/** An event of a vulnerability: its presence changed with an SBOM, or its status with an acceptance. */
export type TimelineEvent =
  | { event: 'opened' | 'reopened' | 'fixed'; at: string; sbom_id: string }
  | { event: 'accepted' | 'acceptance_expired'; at: string; acceptance_id: string };

/** A presence interval: the SBOM that started it, and the one that ended it (null: still present). */
interface PresenceRange {
  opened: SbomVersion;
  fixed: SbomVersion | null;
  /** Start and end for comparison with acceptances; never decreasing along the versions. */
  from: string;
  to: string | null;
}

/** The time in which an acceptance applies. */
interface DecisionInterval {
  id: string;
  from: string;
  /** Null: not over. */
  to: string | null;
}

/** The history of a tracked vulnerability and its resulting status. */
export interface Timeline {
  status: 'open' | 'fixed' | 'accepted';
  introduced_in: SbomVersion;
  /** The SBOM in which it was gone; null unless it is fixed. */
  fixed_in: SbomVersion | null;
  /** How often it was reopened. */
  reopened: number;
  events: TimelineEvent[];
  /** Ids of the acceptances that apply to it now, or will when it is reopened. */
  activeDecisions: string[];
}

/** The facts that a timeline follows from. The timeline itself is not stored. */
export interface TimelineFacts {
  service_id: string;
  vulnerability: TrackedVulnerability;
  /**
   * Existing versions in any order; at least those at which an interval starts and the next one after each
   * end.
   */
  sbomVersions: readonly SbomVersion[];
  /** The acceptances of the project that were not revoked. */
  acceptances: readonly TimedDecision[];
  now: string;
}

/**
 * Computes the timeline of a vulnerability that some SBOM contains, from the SBOMs, scans and acceptances
 * that exist now. Deleted SBOMs and acceptances leave no trace.
 *
 * - T1 A presence interval starts with the SBOM that brought the vulnerability: the first one `opened` it,
 *   every later one `reopened` it.
 * - T2 It ends with the first SBOM after it: there it was `fixed`.
 * - T3 While present, the vulnerability is `accepted` from the moment at which an acceptance applies to it,
 *   at the earliest from the start of the interval. Of several acceptances the first is named.
 * - T4 When the last of them expires while the vulnerability is present: `acceptance_expired`. There is no
 *   event while another one applies, and none for a future expiry.
 * - T5 Events are in order of the catalog's sequence. An SBOM with an earlier time than one before it (clocks
 *   of two machines) keeps its time, and counts as uploaded together with that one.
 *
 * So events alternate, and the last one agrees with the status.
 *
 * @param lastIntervals number of presence intervals, from the newest, whose events are included
 */
export function timelineOf(
  facts: TimelineFacts,
  lastIntervals = Number.MAX_SAFE_INTEGER,
): Timeline {
  const { vulnerability, service_id: service_id, now } = facts;
  const presence = vulnerability.presence.slice(-lastIntervals);
  const sbomVersions = [...facts.sbomVersions].sort((a, b) => a.seq - b.seq);
  const [firstInterval] = vulnerability.presence;
  const introduced = firstInterval && firstFrom(sbomVersions, firstInterval.from);
  if (!introduced)
    throw new Error(`No existing SBOM contains the vulnerability ${vulnerability.id}.`);

  const matching = facts.acceptances.filter((acceptance) =>
    appliesTo({ ...acceptance, expires_at: null }, vulnerability, { service_id, now }),
  );
  const isOver = ({ lapsed, expires_at }: TimedDecision): boolean =>
    lapsed || (expires_at !== null && expires_at <= now);
  const intervals = matching.map((acceptance): DecisionInterval => {
    const { id, created_at: from, expires_at } = acceptance;
    return { id, from, to: isOver(acceptance) ? (expires_at ?? now) : null };
  });

  const ranges = rangesOf(presence, sbomVersions);
  const before = vulnerability.presence.length - presence.length;
  const events = ranges.flatMap((range, index): TimelineEvent[] => [
    {
      event: before + index === 0 ? 'opened' : 'reopened',
      at: range.opened.created_at,
      sbom_id: range.opened.sbom_id,
    },
    ...decisionEvents(range, intervals),
    ...(range.fixed
      ? [
          {
            event: 'fixed' as const,
            at: range.fixed.created_at,
            sbom_id: range.fixed.sbom_id,
          },
        ]
      : []),
  ]);
  const activeDecisions = matching.filter((acceptance) => !isOver(acceptance));
  return {
    status: statusOf(vulnerability, activeDecisions.length > 0) as Timeline['status'],
    introduced_in: introduced,
    fixed_in: ranges.at(-1)?.fixed ?? null,
    reopened: vulnerability.presence.length - 1,
    events,
    activeDecisions: activeDecisions.map(({ id }) => id),
  };
}

function rangesOf(
  presence: readonly PresenceInterval[],
  sbomVersions: readonly SbomVersion[],
): PresenceRange[] {
  let latest = '';
  const later = (sbomVersion: SbomVersion): string =>
    (latest = sbomVersion.created_at > latest ? sbomVersion.created_at : latest);
  return presence.map((interval) => {
    const opened = firstFrom(sbomVersions, interval.from);
    const fixed = interval.to === null ? null : firstFrom(sbomVersions, interval.to + 1);
    if (!opened || fixed === undefined)
      throw new Error('A presence interval does not match the SBOM versions.');
    return { opened, fixed, from: later(opened), to: fixed && later(fixed) };
  });
}

/** The first existing version at or after a sequence number. */
function firstFrom(sbomVersions: readonly SbomVersion[], seq: number): SbomVersion | undefined {
  return sbomVersions.find((sbomVersion) => sbomVersion.seq >= seq);
}

/** T3 and T4 within one presence interval. */
function decisionEvents(
  range: PresenceRange,
  appliesTo: readonly DecisionInterval[],
): TimelineEvent[] {
  const inside = appliesTo
    .map((cover) => ({
      ...cover,
      given: cover.from,
      from: cover.from > range.from ? cover.from : range.from,
      to: earlier(cover.to, range.to),
    }))
    .filter(({ from, to }) => to === null || from < to)
    .sort(
      (a, b) =>
        compareText(a.from, b.from) || compareText(a.given, b.given) || compareText(a.id, b.id),
    );
  const events: TimelineEvent[] = [];
  let last: (typeof inside)[number] | null = null;
  const endLast = (): void => {
    if (!last || last.to === null || last.to === range.to) return;
    events.push({ event: 'acceptance_expired', at: last.to, acceptance_id: last.id });
  };
  for (const cover of inside) {
    if (last && (last.to === null || cover.from <= last.to)) {
      if (last.to !== null && (cover.to === null || cover.to > last.to)) last = cover;
      continue;
    }
    endLast();
    events.push({ event: 'accepted', at: cover.from, acceptance_id: cover.id });
    last = cover;
  }
  endLast();
  return events;
}

/** The earlier of two ends; null is no end. */
function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
