import type { VexConflict } from '../domain/vex-conflicts';
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
