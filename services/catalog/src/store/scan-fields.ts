/** Fields to remove once a scan has ended. */
export const ended = { queued_at: '', retry_at: '', requests: '', traceparent: '' } as const;
/** Fields to remove once its result is applied. */
export const finished = { ...ended, scan_error: '' } as const;

export const notDeleted = { deleted_at: { $exists: false } };
