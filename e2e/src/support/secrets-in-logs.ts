import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A whole API key (decisions.md "API keys"); its prefix alone is no secret. */
const apiKey = /bt_[A-Za-z0-9_-]{12}_[A-Za-z0-9_-]{43}/;

/** What the tests put into the addresses of webhooks, where Slack and Discord have their secret. */
export const webhookSecret = 'T0SECRET/B0SECRET/x0secret';

/**
 * The log lines of a stack, of all its processes, that hold a secret: an API key, valid or not, or a
 * webhook's address.
 *
 * @param dataDir the stack's data folder
 */
export function secretsInLogs(dataDir: string): string[] {
  const folder = path.join(dataDir, 'logs');
  return readdirSync(folder).flatMap((file) =>
    readFileSync(path.join(folder, file), 'utf8')
      .split('\n')
      .filter((line) => apiKey.test(line) || line.includes(webhookSecret))
      .map((line) => `${file}: ${line}`),
  );
}
