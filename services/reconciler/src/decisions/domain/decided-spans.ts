import type { DecisionKind } from '@bomtrail/messages';
import type { ActiveDecision } from '../../tracking/domain/decision-types';
import { byPrecedence } from '../../tracking/domain/decisions';

/** A decision with its times. */
export interface TimedDecision extends ActiveDecision {
  created_at: string;
  /** The kinds that it had before, oldest first, each until it changed. */
  former: readonly { decision: DecisionKind; until: string }[];
  /** Its expiry was recorded: it is over, whatever the clock of a process shows. */
  lapsed: boolean;
}

/** A time in which a decision had one kind. */
export interface DecidedSpan extends Pick<
  ActiveDecision,
  'id' | 'decision' | 'source' | 'is_global' | 'services' | 'decided_at'
> {
  from: string;
  /** Null: not over. */
  to: string | null;
}

/** Whether a decision has expired. */
export function isOver(
  { lapsed, expires_at }: Pick<TimedDecision, 'lapsed' | 'expires_at'>,
  now: string,
): boolean {
  return lapsed || (expires_at !== null && expires_at <= now);
}

/** The times of a decision, one for each kind that it had. */
export function spansOf(decision: TimedDecision, now: string): DecidedSpan[] {
  const { former, created_at, expires_at, id, source, is_global, services } = decision;
  const end = isOver(decision, now) ? (expires_at ?? now) : null;
  const kinds = [...former, { decision: decision.decision, until: end }];
  return kinds.map(({ decision: kind, until }, index): DecidedSpan => {
    const from = former[index - 1]?.until ?? created_at;
    // A document states when it decided, which may be long before its import.
    const decided_at = index < former.length ? from : decision.decided_at;
    const own = { id, source, is_global, services, decision: kind, decided_at };
    return { ...own, from, to: until };
  });
}

/**
 * The decision that determines the status at each time (docs/rules.md DC2): spans that do not overlap, in order.
 * Where one takes over from another of the same kind, a new span begins.
 */
export function decidingSpans(spans: readonly DecidedSpan[]): DecidedSpan[] {
  const ordered = [...spans].sort(byPrecedence);
  const times = [...new Set(spans.flatMap(({ from, to }) => (to === null ? [from] : [from, to])))];
  const deciding: DecidedSpan[] = [];
  times.sort();
  for (const [index, time] of times.entries()) {
    const first = ordered.find(({ from, to }) => from <= time && (to === null || time < to));
    if (!first) continue;
    const last = deciding.at(-1);
    const next = times[index + 1] ?? null;
    if (last && last.to === time && last.id === first.id && last.decision === first.decision)
      last.to = next;
    else deciding.push({ ...first, from: time, to: next });
  }
  return deciding;
}
