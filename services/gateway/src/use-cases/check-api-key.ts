import { AppError } from '@bomtrail/messages';
import { isValidKey, parseApiKey } from '../domain/api-key';
import { callerOf, type Caller } from '../domain/caller';
import type { FindKey } from '../store/key-cache';

export interface CheckApiKeyDeps {
  findKey: FindKey;
  /** Counts a call of a key: 0 when it may be made, else the seconds until there is room again. */
  countCall: (keyId: string) => Promise<number>;
  /** Told of every key that was accepted. */
  noteUse: (keyId: string) => void;
  now: () => Date;
}

/**
 * Who has this key, and may call now? The one check of all doors. Fails closed: without the database's
 * word nobody is let in.
 *
 * @throws AppError `invalid_api_key`, `rate_limited`, or `service_unavailable` when the keys cannot be
 *   asked
 */
export async function checkApiKey(deps: CheckApiKeyDeps, text: string): Promise<Caller> {
  const key = parseApiKey(text);
  if (!key) throw new AppError('invalid_api_key');
  const record = await deps.findKey(key.prefix).catch(() => {
    throw new AppError(
      'service_unavailable',
      'API keys cannot be checked now: repeat the request after Retry-After seconds.',
    );
  });
  const valid = isValidKey(key, record, deps.now());
  if (!valid || !record) throw new AppError('invalid_api_key');
  deps.noteUse(record.id);
  const wait = await deps.countCall(record.id);
  if (wait > 0) throw new AppError('rate_limited', undefined, wait);
  return callerOf(record);
}
