import { markContent } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { LeavingRecord, ReferenceStore } from '../store/reference-store';

export interface DropRecordsDeps {
  references: ReferenceStore;
  request: Request;
}

/** Records per batch: the maximum of one request to ingest. */
export const recordsAtOnce = 1_000;

/**
 * Removes records of deleted SBOMs after notifying ingest of the lost references; after a crash in
 * between, ingest is notified again.
 *
 * @param records at most `recordsAtOnce`
 * @throws AppError `service_unavailable` while ingest does not respond
 */
export async function dropRecords(
  deps: DropRecordsDeps,
  records: readonly LeavingRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await deps.request(markContent, {
    // Expired ones have lost their references already.
    documents: [...new Set(records.flatMap(({ sha256 }) => sha256 ?? []))],
    sets: [...new Set(records.flatMap(({ digest }) => digest ?? []))],
  });
  await deps.references.remove(records);
}
