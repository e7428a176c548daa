import type { Schemas } from '../../api/client';
import type { DecisionKind, Justification } from '../findings/decision-kinds';

/** What a rule decides, as the form has it. */
export interface RuleContent {
  name: string;
  reason: string;
  kind: DecisionKind;
  justification: Justification | '';
  /** A day of the user's time zone; empty: until it is ended. */
  until: string;
}

export const newContent: RuleContent = {
  name: '',
  reason: '',
  kind: 'not_affected',
  justification: '',
  until: '',
};

type Stored = Pick<
  Schemas['DecisionRule'],
  'name' | 'reason' | 'decision' | 'justification' | 'expires_at'
>;

/** What a stored rule decides. */
export function contentOf({
  name,
  reason,
  decision,
  justification,
  expires_at,
}: Stored): RuleContent {
  return {
    name,
    reason,
    kind: decision,
    justification: justification ?? '',
    until: expires_at === null ? '' : localDay(expires_at),
  };
}

/** The same as the API takes it. */
export function contentBody({ name, reason, kind, justification, until }: RuleContent) {
  return {
    name,
    reason,
    decision: kind,
    justification: kind === 'not_affected' ? justification || null : null,
    expires_at: until ? new Date(`${until}T23:59:59`).toISOString() : null,
  };
}

/**
 * The part of it that was changed: the rest may have been changed elsewhere, and the end has a time of day, which a day
 * that was not changed keeps. The decision and its justification are one.
 */
export function changedBody(
  before: RuleContent,
  after: RuleContent,
): Partial<ReturnType<typeof contentBody>> {
  const { name, reason, decision, justification, expires_at } = contentBody(after);
  const isSameDecision = after.kind === before.kind && after.justification === before.justification;
  return {
    ...(name === before.name ? {} : { name }),
    ...(reason === before.reason ? {} : { reason }),
    ...(isSameDecision ? {} : { decision, justification }),
    ...(after.until === before.until ? {} : { expires_at }),
  };
}

/** The day of an instant, as a date field has it. */
function localDay(instant: string): string {
  const at = new Date(instant);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
