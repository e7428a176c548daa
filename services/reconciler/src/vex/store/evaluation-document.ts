import type { VexConflict } from '../domain/decide-by-vex';
import type { StoredSuggestion, VexEvaluation } from '../ports';

/** A document of `vex_evaluations`. */
export interface EvaluationDocument extends VexEvaluation {
  /** The service. */
  _id: string;
  project_id: string;
  /** By id of the document's record. */
  results: Record<string, string>;
  suggestions?: StoredSuggestion[];
  conflicts?: VexConflict[];
}
