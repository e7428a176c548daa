import type { DecisionKind, Justification } from '@bomtrail/messages';
import type { VexStatus } from './vex-document';

/** A state in the words of the three formats, the first of which is written. */
export interface StateMapping {
  status: VexStatus;
  /** The decision that it becomes; null: none, the vulnerability stays open. */
  decision: DecisionKind | null;
  openvex: readonly string[];
  cyclonedx: readonly string[];
  csaf: readonly string[];
  /** What does not survive a way out and back; null: nothing. */
  lost: string | null;
}

/**
 * States of OpenVEX 0.2.0 ("Status Labels"), CycloneDX (`impactAnalysisState`) and CSAF 2.0 (section 3.2.3.9).
 * The only place that maps them.
 */
export const STATES: readonly StateMapping[] = [
  {
    status: 'not_affected',
    decision: 'not_affected',
    openvex: ['not_affected'],
    cyclonedx: ['not_affected'],
    csaf: ['known_not_affected'],
    lost: null,
  },
  {
    status: 'affected',
    decision: null,
    openvex: ['affected'],
    cyclonedx: ['exploitable'],
    csaf: ['known_affected', 'first_affected', 'last_affected'],
    lost: 'An accepted risk is written as affected, with its reason as the action; read again, it decides nothing.',
  },
  {
    status: 'fixed',
    decision: 'not_affected',
    openvex: ['fixed'],
    cyclonedx: ['resolved', 'resolved_with_pedigree'],
    csaf: ['fixed', 'first_fixed'],
    lost: 'It decides “not affected”, and is written as that with the detail “fixed”.',
  },
  {
    status: 'under_investigation',
    decision: 'in_triage',
    openvex: ['under_investigation'],
    cyclonedx: ['in_triage'],
    csaf: ['under_investigation'],
    lost: null,
  },
  {
    status: 'false_positive',
    decision: 'false_positive',
    openvex: ['not_affected'],
    cyclonedx: ['false_positive'],
    csaf: ['known_not_affected'],
    lost: 'OpenVEX and CSAF have no such state: it is written as not affected and read again as that.',
  },
];

/** A justification in the words of CycloneDX. */
export interface JustificationMapping {
  justification: Justification;
  /** The first is written, all are read. */
  cyclonedx: readonly [string, ...string[]];
  lost: string | null;
}

/**
 * A row for each justification of a decision; the compiler wants them all. OpenVEX 0.2.0 and the flags of CSAF 2.0
 * (section 3.2.3.5) have the words of the decision, which are CISA's ("Status Justifications", 2022).
 */
const justificationRows: Readonly<
  Record<Justification, Omit<JustificationMapping, 'justification'>>
> = {
  component_not_present: {
    cyclonedx: ['code_not_present'],
    lost: 'Through CycloneDX it becomes vulnerable_code_not_present.',
  },
  vulnerable_code_not_present: { cyclonedx: ['code_not_present'], lost: null },
  vulnerable_code_not_in_execute_path: { cyclonedx: ['code_not_reachable'], lost: null },
  vulnerable_code_cannot_be_controlled_by_adversary: {
    cyclonedx: ['requires_environment', 'requires_configuration', 'requires_dependency'],
    lost: 'CycloneDX’s three kinds of requirement become one.',
  },
  inline_mitigations_already_exist: {
    cyclonedx: [
      'protected_by_mitigating_control',
      'protected_by_compiler',
      'protected_at_runtime',
      'protected_at_perimeter',
    ],
    lost: 'CycloneDX’s four kinds of protection become one.',
  },
};

export const JUSTIFICATIONS = Object.keys(justificationRows) as readonly Justification[];

export const JUSTIFICATION_MAPPINGS: readonly JustificationMapping[] = JUSTIFICATIONS.map(
  (justification) => ({ justification, ...justificationRows[justification] }),
);

/** Of equal words the first state that writes them: `known_not_affected` is not affected. */
export function statusOf(
  format: 'openvex' | 'cyclonedx' | 'csaf',
  state: string,
): VexStatus | null {
  return STATES.find((row) => row[format].includes(state))?.status ?? null;
}

export function stateMapping(status: VexStatus): StateMapping {
  const found = STATES.find((row) => row.status === status);
  if (!found) throw new Error(`No row for the status ${status}.`);
  return found;
}

/** Null for an unknown word. `code_not_present` is read as vulnerable_code_not_present. */
export function justificationOfCycloneDx(word: string): Justification | null {
  const rows = JUSTIFICATION_MAPPINGS.filter((row) => row.cyclonedx.includes(word));
  return (rows.find(({ lost }) => lost === null) ?? rows[0])?.justification ?? null;
}

export function cycloneDxJustification(justification: Justification): string {
  return justificationRows[justification].cyclonedx[0];
}
