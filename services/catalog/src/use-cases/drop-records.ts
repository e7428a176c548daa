import { markContent } from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import type { LeavingRecord, ReferenceStore } from '../store/reference-store';

export interface DropRecordsDeps {
  references: ReferenceStore;
  request: Request;
}

/** Records that go together: as many as one question to ingest may name. */
export const recordsAtOnce = 1_000;

/**
 * Removes records of deleted SBOMs, after ingest knows that what they refer to loses a reference: a
 * crash in between tells it again.
 *
 * @param records at most `recordsAtOnce`
 * @throws AppError `service_unavailable` while ingest does not answer
 */
export async function dropRecords(
  deps: DropRecordsDeps,
  records: readonly LeavingRecord[],
): Promise<void> {
  if (records.length === 0) return;
  await deps.request(markContent, {
    documents: [...new Set(records.map(({ sha256 }) => sha256))],
    sets: [...new Set(records.map(({ digest }) => digest))],
  });
  await deps.references.remove(records);
}
