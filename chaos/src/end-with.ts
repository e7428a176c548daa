import { OperatorError } from '@bomtrail/embedded';

/**
 * Runs a command and ends this process with the exit code that it gives; with 1 when it fails, saying why:
 * what a person can do something about in one line, all else with its stack.
 */
export function endWith(run: () => Promise<number>): void {
  run().then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error instanceof OperatorError ? error.message : error);
      process.exit(1);
    },
  );
}
