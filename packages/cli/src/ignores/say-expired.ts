import type { Context } from '../context';
import { cleanText } from '../output/clean-text';

const maxLines = 20;

/** Says which entries of the project file no longer apply. */
export function sayExpired({
  settings,
  say,
  now,
}: Pick<Context, 'settings' | 'say' | 'now'>): void {
  const expired = settings.ignores.filter(({ expiresAt }) => expiresAt <= now());
  for (const { id, line, expiresAt } of expired.slice(0, maxLines)) {
    const day = expiresAt.toISOString().slice(0, 10);
    say(
      cleanText(
        `${settings.projectFile}:${line}: the entry for ${id} expired (${day}) and no longer applies. Remove it, or give it another date.`,
      ),
    );
  }
  if (expired.length > maxLines) say(`And ${expired.length - maxLines} more expired entries.`);
}
