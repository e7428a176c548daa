import type { SbomVersion } from '../domain/types';
import type { SbomVersionDocument, ServiceStateDocument } from './documents';

/** The state as changes see it: null until something was written. */
export function asRead(
  state: ServiceStateDocument | null | undefined,
): ServiceStateDocument | null | 'deleted' {
  if (state?.deletion_state) return 'deleted';
  return state && state.version > 0 ? state : null;
}

/** A stored SBOM version as the rules read it; empty for a tombstone. */
export function toSbomVersions(document: SbomVersionDocument): SbomVersion[] {
  if ('removed' in document) return [];
  const { _id, seq, digest, created_at, scanned_at, expired } = document;
  const known = { ...(scanned_at && { scanned_at }), ...(expired && { expired }) };
  return [{ sbom_id: _id, seq, digest, created_at, ...known }];
}
