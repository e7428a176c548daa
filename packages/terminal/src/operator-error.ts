/** An error that the operator can fix. Its message is one line with cause and remedy, printed without a stack. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** Returns the message of an `Error`, else the value as text. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the system error code (`ENOSPC`, `EADDRINUSE`, …) of an error, if it has one. */
export function systemCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
