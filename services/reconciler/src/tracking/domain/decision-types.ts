import type { DecisionKind, DecisionSource, RuleFilter } from '@bomtrail/messages';

/** Every package, as the key of one. */
export const anyPackage = '*';

/** A package that a decision is limited to; without `versions` in whatever version. */
export interface DecidedPackage {
  package_key: string;
  versions?: readonly string[];
  /**
   * VX9 Ids (upper case; `CVE-*`: all that begin so) that later statements call affected: it does not apply here to a
   * vulnerability with one of them beside the decision's own. Of `anyPackage`: nowhere.
   */
  unless?: readonly string[];
}

/** A decision about a vulnerability, as far as the rules need it. */
export interface ActiveDecision {
  id: string;
  decision: DecisionKind;
  source: DecisionSource;
  /** The alias group, upper case; empty: whatever `selects` selects. */
  identity: readonly string[];
  /** Of a standing rule (DC8): what it applies to, beside its services. */
  selects?: RuleFilter;
  /** It applies in all projects. */
  is_global: boolean;
  /** The services that it is limited to; null: none. */
  services: readonly string[] | null;
  /** Absent: whatever package. */
  packages?: readonly DecidedPackage[];
  expires_at: string | null;
  /** When it was made, or its kind changed last. */
  decided_at: string;
  ticket_url: string | null;
  assignee: string | null;
}

/** What a tracked vulnerability keeps of the decision that determines its status. */
export interface Decided {
  id: string;
  decision: DecisionKind;
  source: DecisionSource;
  ticket_url?: string;
  assignee?: string;
  /** Another decision of another kind applies, too (DC10). */
  contradicted?: true;
}
