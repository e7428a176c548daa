import type { Schemas } from '../../api/client';

/** What may make an empty answer wrong. */
export interface Doubts {
  /** SBOMs that are not scanned yet, or could not be. */
  unscanned: number;
  /** Advisories: none, or only the starter set. */
  data: Schemas['AdvisoryData'];
  /** The index of packages does not have all SBOMs yet. */
  incomplete: boolean;
}

export function doubtsOf(answer: {
  pending_sboms: number;
  failed_sboms: number;
  advisory_data: Schemas['AdvisoryData'];
  complete?: boolean;
}): Doubts {
  return {
    unscanned: answer.pending_sboms + answer.failed_sboms,
    data: answer.advisory_data,
    incomplete: answer.complete === false,
  };
}

/** `clear`: nobody has it. `doubtful`: none found, but not everything was searched, or only with a sample of advisories. */
export function verdictOf(total: number, doubts: Doubts): 'affected' | 'clear' | 'doubtful' {
  if (total > 0) return 'affected';
  return doubts.unscanned > 0 || doubts.incomplete || doubts.data !== 'feed' ? 'doubtful' : 'clear';
}
