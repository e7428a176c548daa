import type { VexSourceView } from '@bomtrail/messages';
import { withoutCredentials } from '../../feeds/domain/feed-view';
import { blankVexSource, type VexSourceDocument, type VexSourceState } from './vex-source-state';

/** A source as the API shows it. */
export function vexSourceView(
  origin: string,
  state: VexSourceState | undefined,
  at: { now: number; rejected: { total: number; first: readonly VexSourceDocument[] } },
): VexSourceView {
  const { checked_at, documents, error, failed_at } = state ?? blankVexSource(origin);
  return {
    source: withoutCredentials(origin),
    last_success_at: checked_at?.toISOString() ?? null,
    age_seconds: checked_at
      ? Math.max(0, Math.floor((at.now - checked_at.getTime()) / 1000))
      : null,
    documents,
    rejected: at.rejected.total,
    rejected_documents: at.rejected.first.map(({ key, error: reason }) => ({
      document: withoutCredentials(key),
      reason: withoutCredentials(reason ?? ''),
    })),
    last_error:
      error === null
        ? null
        : { message: withoutCredentials(error), at: failed_at?.toISOString() ?? null },
  };
}
