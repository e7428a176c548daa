import { OperatorError } from '@bomtrail/terminal';

/**
 * Ends this process with the exit code that `work` resolves to. If it fails, prints an OperatorError as one line,
 * other errors with their stack, and exits with 1.
 */
export function endWith(work: Promise<number>): void {
  work.then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error instanceof OperatorError ? error.message : error);
      process.exit(1);
    },
  );
}
