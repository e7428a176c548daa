export const decisionKinds = [
  'risk_accepted',
  'not_affected',
  'false_positive',
  'in_triage',
] as const;
export type DecisionKind = (typeof decisionKinds)[number];
