import { randomBytes, randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { OperatorError, systemCodeOf } from '@bomtrail/terminal';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const FORM = /^bt_[A-Za-z0-9_-]{12}_[A-Za-z0-9_-]{43}$/;

/** True for an API key of the form `bt_<12>_<43>` (docs/rules.md AK1). */
export function isApiKey(text: string): boolean {
  return FORM.test(text);
}

/** Creates an API key: a prefix of 12 letters and digits, and a secret of 256 random bits. */
export function newApiKey(): string {
  const id = Array.from({ length: 12 }, () => LETTERS[randomInt(LETTERS.length)]).join('');
  return `bt_${id}_${randomBytes(32).toString('base64url')}`;
}

/** The first API key of an installation, and its source. */
export interface FirstKey {
  key: string;
  origin: 'made-now' | 'stored' | 'setting';
}

/**
 * Returns the key of `BOMTRAIL_BOOTSTRAP_API_KEY`, else the one stored in `file`, else a new one, which is stored
 * there (mode 0600).
 */
export async function firstApiKey(file: string, setting: string | undefined): Promise<FirstKey> {
  if (setting !== undefined && setting !== '') {
    if (!isApiKey(setting)) {
      throw new OperatorError(
        'BOMTRAIL_BOOTSTRAP_API_KEY must have the form bt_<12 characters>_<43 characters>: correct it or unset it.',
      );
    }
    return { key: setting, origin: 'setting' };
  }
  const stored = await storedKey(file);
  if (stored !== undefined) return { key: stored, origin: 'stored' };
  const key = newApiKey();
  await writeFile(file, `${key}\n`, { mode: 0o600, flag: 'wx' });
  return { key, origin: 'made-now' };
}

async function storedKey(file: string): Promise<string | undefined> {
  try {
    const key = (await readFile(file, 'utf8')).trim();
    if (isApiKey(key)) return key;
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  throw new OperatorError(
    `${file} holds no API key: delete it, and the next start makes a new one.`,
  );
}
