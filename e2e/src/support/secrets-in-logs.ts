import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A whole API key (docs/rules.md AK1); its prefix alone is no secret. */
const apiKey = /bt_[A-Za-z0-9_-]{12}_[A-Za-z0-9_-]{43}/;

/** What the tests put into the addresses of webhooks, where Slack and Discord have their secret. */
export const webhookSecret = 'T0SECRET/B0SECRET/x0secret';

/** In every password of the tests that stands in a setting. */
export const passwordMark = '0secret0';

/** The lines of a text that hold a secret: an API key, valid or not, a webhook's address or a password. */
export function linesWithSecrets(text: string): string[] {
  const hasSecret = (line: string): boolean =>
    apiKey.test(line) || line.includes(webhookSecret) || line.includes(passwordMark);
  return text.split('\n').filter(hasSecret);
}

/**
 * The log lines of a stack, of all its processes, that hold a secret.
 *
 * @param dataDir the stack's data folder
 */
export function secretsInLogs(dataDir: string): string[] {
  const folder = path.join(dataDir, 'logs');
  return readdirSync(folder).flatMap((file) =>
    linesWithSecrets(readFileSync(path.join(folder, file), 'utf8')).map(
      (line) => `${file}: ${line}`,
    ),
  );
}
