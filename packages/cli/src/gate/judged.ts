import type { SbomVerdict } from '@bomtrail/api-client';
import type { Judgement } from './evaluate-verdict';
import type { Ignore } from '../ignores/ignore';

/** Verdict of an SBOM and its result for the pipeline. */
export interface Judged {
  /** Without the findings that the ignore file names. */
  verdict: SbomVerdict;
  judgement: Judgement;
  /** Why a finding is ignored, by the id of its tracked vulnerability. */
  ignored: ReadonlyMap<string, Ignore>;
}
