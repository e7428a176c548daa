/**
 * Changes forbidden within version 1 of the contract (docs/rules.md O1): accepted requests stay
 * accepted with the same meaning, and clients can still read every response.
 */
export type BreakingRule =
  | 'path-removed'
  | 'operation-removed'
  | 'operation-renamed'
  | 'server-removed'
  | 'security-changed'
  | 'parameter-removed'
  | 'parameter-required'
  | 'parameter-style-changed'
  | 'request-body-removed'
  | 'request-body-required'
  | 'request-media-type-removed'
  | 'request-type-narrowed'
  | 'request-enum-narrowed'
  | 'request-bound-narrowed'
  | 'request-field-removed'
  | 'request-field-required'
  | 'request-default-changed'
  | 'request-meaning-changed'
  | 'response-removed'
  | 'response-status-changed'
  | 'response-media-type-removed'
  | 'response-header-lost'
  | 'response-field-removed'
  | 'response-field-optional'
  | 'response-type-widened'
  | 'response-enum-widened'
  | 'response-bound-widened'
  | 'response-meaning-changed';

/** A breaking change and its location, such as `createProject request body.name`. */
export interface BreakingChange {
  rule: BreakingRule;
  where: string;
}

export function breaks(rule: BreakingRule, where: string): BreakingChange {
  return { rule, where };
}
