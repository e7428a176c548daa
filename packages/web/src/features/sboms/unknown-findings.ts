import type { Schemas } from '../../api/client';

/** Why the findings of an SBOM are not known: an empty list of them means nothing then. */
export type UnknownFindings = 'pending' | 'failed' | 'dropped';

/** null: its findings are known. */
export function unknownFindings({
  scan_status,
  retained,
}: Pick<Schemas['SBOMDetailResponse'], 'scan_status' | 'retained'>): UnknownFindings | null {
  if (retained === false) return 'dropped';
  return scan_status === 'scanned' ? null : scan_status;
}
