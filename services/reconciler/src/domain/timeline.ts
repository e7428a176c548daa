import { appliesTo, statusOf } from './assign-status';
import type { ActiveDecision, SbomVersion, TrackedVulnerability, PresenceInterval } from './types';

/** A risk acceptance with what its place in time follows from. */
export interface TimedDecision extends ActiveDecision {
  id: string;
  created_at: string;
  /** Its end was noticed: it is over, whatever a process's clock says. */
  lapsed: boolean;
}

/** What happened to a vulnerability: to its presence, with the SBOM, or to its disposition, with the acceptance. */
export type TimelineEvent =
  | { event: 'opened' | 'reopened' | 'fixed'; at: string; sbom_id: string }
  | { event: 'accepted' | 'acceptance_expired'; at: string; acceptance_id: string };

/** A stretch of presence: the SBOM that brought it, and the one in which it was gone (null: still there). */
interface PresenceRange {
  opened: SbomVersion;
  fixed: SbomVersion | null;
  /** When it began and ended, as far as acceptances are concerned; times of the log never go back. */
  from: string;
  to: string | null;
}

/** An acceptance as far as it falls into a stretch. */
interface DecisionInterval {
  id: string;
  from: string;
  /** Null: not over. */
  to: string | null;
}

/** The history of a row, and the state in which it ends. */
export interface Timeline {
  status: 'open' | 'fixed' | 'accepted';
  introduced_in: SbomVersion;
  /** Of a fixed row the SBOM in which it was gone. */
  fixed_in: SbomVersion | null;
  /** How often it came back. */
  reopened: number;
  events: TimelineEvent[];
  /** Those that cover the row now, or will when it comes back. */
  activeDecisions: string[];
}

/** The facts that a timeline follows from; nothing of it is stored. */
export interface TimelineFacts {
  service_id: string;
  vulnerability: TrackedVulnerability;
  /** Of the log those that exist, at least all at which a run begins or behind which one ends, in any order. */
  sbomVersions: readonly SbomVersion[];
  /** Those of the project that were not taken back. */
  acceptances: readonly TimedDecision[];
  now: string;
}

/**
 * The timeline of a row that some SBOM holds. It follows from the SBOMs that exist, their scans and
 * the acceptances that are stored, as they are now: what was deleted is as if it had never been.
 *
 * - T1 A run begins with the SBOM that brought the vulnerability: the first one `opened` it, every
 *   later one `reopened` it.
 * - T2 A run ends with the first SBOM behind it: there it was `fixed`.
 * - T3 While it is present, it is `accepted` from the moment at which acceptances begin to cover it;
 *   one that was given before covers from the start of the run. Of several the first one is named.
 * - T4 When the last of them has expired while it is present: `acceptance_expired`. As long as
 *   another one covers it nothing is told, and an end that is still to come is none.
 * - T5 Events stand in the order of the catalog's sequence. An SBOM that bears an earlier time than
 *   one before it (two machines' clocks) keeps its time, and counts as having come with that one.
 *
 * So events alternate, and the last one agrees with the state.
 *
 * @param lastIntervals of how many runs, from the newest, the events are told
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
  if (!introduced) throw new Error(`No SBOM that exists holds row ${vulnerability.id}.`);

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
    if (!opened || fixed === undefined) throw new Error('A run does not fit its log.');
    return { opened, fixed, from: later(opened), to: fixed && later(fixed) };
  });
}

/** The first entry that exists at a sequence number or behind it. */
function firstFrom(sbomVersions: readonly SbomVersion[], seq: number): SbomVersion | undefined {
  return sbomVersions.find((sbomVersion) => sbomVersion.seq >= seq);
}

/** T3 and T4 within one stretch of presence. */
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
