import { besideStackOrExplained } from './beside-stack';

const path = ['packages', 'service-kit', 'dist', 'dead-letters', 'dead-letters-main.js'];

/** `dead-letters`: shows what was given up, has it taken up again, or drops it. Gives its exit code. */
export function deadLetters(
  options: { env: NodeJS.ProcessEnv; complain: (line: string) => void },
  args: string[],
): Promise<number> {
  return besideStackOrExplained({ path, needs: 'NATS_URL' }, args, options);
}
