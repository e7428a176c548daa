import { OperatorError } from '../operator-error';
import { besideStack } from './beside-stack';

/** As the command itself says it: the servers cannot be reached. */
const unreachable = 3;

/** `reconcile`: runs the reconciler's check of what it stores. Gives its exit code. */
export async function reconcile(
  options: { env: NodeJS.ProcessEnv; complain: (line: string) => void },
  args: string[],
): Promise<number> {
  const program = ['reconciler', 'dist', 'command', 'reconcile-main.js'];
  try {
    return await besideStack(program, args, options.env);
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    options.complain(error.message);
    return unreachable;
  }
}
