import { besideStackOrExplained } from './beside-stack';

const path = ['packages', 'messaging', 'dist', 'dead-letters', 'dead-letters-main.js'];

/** `dead-letters`: lists, prints, replays or drops dead letters. Returns the exit code. */
export function deadLetters(
  options: { env: NodeJS.ProcessEnv; complain: (line: string) => void },
  args: string[],
): Promise<number> {
  return besideStackOrExplained({ path, needs: 'NATS_URL' }, args, options);
}
