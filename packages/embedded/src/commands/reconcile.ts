import { besideStackOrExplained } from './beside-stack';

const path = ['services', 'reconciler', 'dist', 'command', 'reconcile-main.js'];

/** `reconcile`: runs the reconciler's consistency check. Returns the exit code. */
export function reconcile(
  options: { env: NodeJS.ProcessEnv; complain: (line: string) => void },
  args: string[],
): Promise<number> {
  return besideStackOrExplained({ path, needs: 'MONGODB_URI' }, args, options);
}
