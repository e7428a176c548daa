import type { DecisionKind, VulnerabilityStatus } from '@bomtrail/messages';
import {
  decidingSpans,
  isOver,
  spansOf,
  type DecidedSpan,
  type TimedDecision,
} from '../../decisions/domain/decided-spans';
import { statusOf } from '../../tracking/domain/assign-status';
import type { Decided } from '../../tracking/domain/decision-types';
import { appliesTo, byPrecedence, decidedBy } from '../../tracking/domain/decisions';
import type {
  SbomVersion,
  TrackedVulnerability,
  PresenceInterval,
} from '../../tracking/domain/types';
import { versionFrom, isPresent } from '../../tracking/domain/presence';

/** The event with which a decision of a kind begins. */
const eventOf = {
  risk_accepted: 'accepted',
  not_affected: 'not_affected',
  false_positive: 'false_positive',
  in_triage: 'in_triage',
} as const satisfies Record<DecisionKind, string>;

/** An event of a vulnerability: its presence changed with an SBOM, or its status with a decision. */
export type TimelineEvent =
  | { event: 'opened' | 'reopened' | 'fixed'; at: string; sbom_id: string }
  | {
      event: (typeof eventOf)[DecisionKind] | 'acceptance_expired';
      at: string;
      acceptance_id: string;
    };

/** A presence interval: the SBOM that started it, and the one that ended it (null: still present). */
interface PresenceRange {
  opened: SbomVersion;
  fixed: SbomVersion | null;
  /** Start and end for comparison with acceptances; never decreasing along the versions. */
  from: string;
  to: string | null;
}

/** The history of a tracked vulnerability and its resulting status. */
export interface Timeline {
  status: VulnerabilityStatus;
  introduced_in: SbomVersion;
  /** The SBOM in which it was gone; null unless it is fixed. */
  fixed_in: SbomVersion | null;
  /** How often it was reopened. */
  reopened: number;
  events: TimelineEvent[];
  /** The decision that determines the status; undefined: none. */
  decided: Decided | undefined;
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
  /** The decisions that were not revoked. */
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
 * - T3 While present, the vulnerability is `accepted`, `not_affected`, `false_positive` or `in_triage` from the
 *   moment at which a decision of that kind determines its status (DC2), at the earliest from the start of the
 *   interval. Where another decision of the same kind takes over there is no event.
 * - T4 When the last of them expires while the vulnerability is present: `acceptance_expired`. There is no
 *   event while another one applies, and none for a future expiry.
 * - T5 Events are in order of the catalog's sequence. An SBOM with an earlier time than one before it (clocks
 *   of two machines) keeps its time, and counts as uploaded together with that one.
 *
 * So the last event agrees with the status.
 *
 * @param lastIntervals number of presence intervals, from the newest, whose events are included
 */
export function timelineOf(
  facts: TimelineFacts,
  lastIntervals = Number.MAX_SAFE_INTEGER,
): Timeline {
  const { vulnerability, service_id, now } = facts;
  const presence = vulnerability.presence.slice(-lastIntervals);
  const sbomVersions = [...facts.sbomVersions].sort((a, b) => a.seq - b.seq);
  const [firstInterval] = vulnerability.presence;
  const introduced = firstInterval && versionFrom(sbomVersions, firstInterval.from);
  if (!introduced)
    throw new Error(`No existing SBOM contains the vulnerability ${vulnerability.id}.`);

  const matching = facts.acceptances.filter((acceptance) =>
    appliesTo({ ...acceptance, expires_at: null }, vulnerability, { service_id, now }),
  );
  const spans = matching.flatMap((acceptance) => spansOf(acceptance, now));

  const ranges = rangesOf(presence, sbomVersions);
  const before = vulnerability.presence.length - presence.length;
  const events = ranges.flatMap((range, index): TimelineEvent[] => [
    {
      event: before + index === 0 ? 'opened' : 'reopened',
      at: range.opened.created_at,
      sbom_id: range.opened.sbom_id,
    },
    ...decisionEvents(range, spans),
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
  const activeDecisions = matching.filter((acceptance) => !isOver(acceptance, now));
  const inOrder = [...activeDecisions].sort(byPrecedence);
  const [decision] = inOrder;
  return {
    status: statusOf(vulnerability, decision) as Timeline['status'],
    introduced_in: introduced,
    fixed_in: ranges.at(-1)?.fixed ?? null,
    reopened: vulnerability.presence.length - 1,
    events,
    decided: isPresent(vulnerability) ? decidedBy(inOrder) : undefined,
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
    const opened = versionFrom(sbomVersions, interval.from);
    const fixed = interval.to === null ? null : versionFrom(sbomVersions, interval.to + 1);
    if (!opened || fixed === undefined)
      throw new Error('A presence interval does not match the SBOM versions.');
    return { opened, fixed, from: later(opened), to: fixed && later(fixed) };
  });
}

/** T3 and T4 within one presence interval. */
function decisionEvents(range: PresenceRange, spans: readonly DecidedSpan[]): TimelineEvent[] {
  const inside = spans
    .map((span) => ({
      ...span,
      from: span.from > range.from ? span.from : range.from,
      to: earlier(span.to, range.to),
    }))
    .filter(({ from, to }) => to === null || from < to);
  const deciding = decidingSpans(inside);
  return deciding.flatMap((span, index): TimelineEvent[] => {
    const { id: acceptance_id, decision, from, to } = span;
    const before = deciding[index - 1];
    const continues = before?.to === from && before.decision === decision;
    const isLast = to !== null && to !== range.to && deciding[index + 1]?.from !== to;
    return [
      ...(continues ? [] : [{ event: eventOf[decision], at: from, acceptance_id }]),
      ...(isLast ? [{ event: 'acceptance_expired' as const, at: to, acceptance_id }] : []),
    ];
  });
}

/** The earlier of two ends; null is no end. */
function earlier(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b;
  return a < b ? a : b;
}
