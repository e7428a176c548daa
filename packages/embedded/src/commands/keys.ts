import { besideStack } from './beside-stack';

const program = ['services', 'gateway', 'dist', 'command', 'keys-main.js'];

/** `keys`: runs the gateway's command for API keys. Returns the exit code. */
export function keys(env: NodeJS.ProcessEnv, args: string[]): Promise<number> {
  return besideStack({ path: program, needs: 'MONGODB_URI' }, args, env);
}
