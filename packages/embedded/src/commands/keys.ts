import { besideStack } from './beside-stack';

/** `keys`: runs the gateway's command for API keys. Gives its exit code. */
export function keys(env: NodeJS.ProcessEnv, args: string[]): Promise<number> {
  return besideStack(['gateway', 'dist', 'command', 'keys-main.js'], args, env);
}
