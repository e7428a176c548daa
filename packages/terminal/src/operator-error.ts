/**
 * A failure that the person at the terminal can do something about. Its message is one line that says
 * what is wrong and what to do; it is shown without a stack trace.
 */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** The one line to show for any error: the message of an `Error`, else the value as text. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The system error code (`ENOSPC`, `EADDRINUSE`, …) of an error, if it has one. */
export function systemCodeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
