import type { ImportStatus, ReportedImportStatus } from '@bomtrail/messages';

/** An import that reports nothing for so long was killed: a running one is silent for 5 minutes and a scan of 10 at most. */
export const silentImportMs = 30 * 60_000;

/** The status of an import as it is shown (docs/rules.md IM7). */
export function statusOfImport(
  { status, updated_at }: { status: ReportedImportStatus; updated_at: Date },
  now: Date,
): ImportStatus {
  const isSilent = now.getTime() - updated_at.getTime() > silentImportMs;
  return status === 'running' && isSilent ? 'interrupted' : status;
}
