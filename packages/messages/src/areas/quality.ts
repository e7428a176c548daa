import { z } from 'zod';
import { rpc } from '../define';
import { digest } from './fields';

/** One element that a document should state (docs/rules.md Q1 to Q3). */
export interface QualityElement {
  element: string;
  required_by: ('ntia' | 'bsi')[];
  /** Components that state it, or 1 if the document does. */
  present: number;
  /** Components; 1 for an element of the document. */
  total: number;
  /** What is missing, one sentence; null: nothing. */
  reason: string | null;
}

/** How complete a document is by the minimum elements; scores are 0 to 100. */
export interface SbomQuality {
  score: number;
  ntia_score: number;
  bsi_score: number;
  components: number;
  elements: QualityElement[];
}

/**
 * The quality of a stored document; null if it cannot be read any more. One of an earlier release is read
 * again, which for large ones waits for uploads. Fails with `sbom_not_found`.
 */
export const readQuality = rpc<{ quality: SbomQuality | null }>()({
  service: 'ingest',
  callers: ['gateway'],
  name: 'read-quality.v1',
  request: z.object({ sha256: digest }),
  timeoutMs: 60_000,
});
