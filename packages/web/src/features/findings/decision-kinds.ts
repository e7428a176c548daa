import type { Schemas } from '../../api/client';
import { text } from '../../text/en';

export type DecisionKind = Schemas['DecisionKind'];
export type Justification = Schemas['Justification'];

/** As a record, so that the compiler misses a kind that the contract gains. */
const listed: Record<DecisionKind, true> = {
  risk_accepted: true,
  not_affected: true,
  false_positive: true,
  in_triage: true,
};

/** What a decision can say, in the order in which the page offers it. */
export const decisionKinds = Object.keys(listed) as DecisionKind[];

/** The justifications of `not_affected` as choices of a field; the first one is none. */
export const justificationChoices = [
  ['', text.accept.noJustification] as const,
  ...(Object.entries(text.accept.justifications) as [Justification, string][]),
];
