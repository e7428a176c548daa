import { AppError } from '@bomtrail/messages';
import { isValidKey, parseApiKey, type ApiKeyParts, type ApiKeyRecord } from '../domain/api-key';
import { callerOf, type Caller } from '../domain/caller';
import type { FailedKeys } from '../store/failed-keys';
import type { FindKey } from '../store/key-cache';

export interface CheckApiKeyDeps {
  findKey: FindKey;
  failedKeys: FailedKeys;
  /** Told of an address that is locked out from now on. */
  noteLockOut: (address: string | null) => void;
  /** Counts a call of a key: 0 when it may be made, else the seconds until there is room again. */
  countCall: (keyId: string) => Promise<number>;
  /** Told of every key that was accepted. */
  noteUse: (keyId: string) => void;
  now: () => Date;
}

/** What a second look at a key needs. */
export type RecheckApiKeyDeps = Pick<CheckApiKeyDeps, 'findKey' | 'now'>;

/** What a caller shows of itself. */
export interface Credentials {
  /** The text that should be a key. */
  key: string;
  /** Where it comes from; null: not known. */
  address: string | null;
}

/**
 * Who has this key, and may call now? The one check of all doors. Fails closed: without the database's
 * word nobody is let in. An address from which many wrong keys came is told no more of them than to
 * wait; a valid key is let in from there, too, because others may share the address. What made-up keys
 * cost the database the key cache bounds, for all addresses together.
 *
 * @throws AppError `invalid_api_key`, `rate_limited`, or `service_unavailable` when the keys cannot be
 *   asked
 */
export async function checkApiKey(deps: CheckApiKeyDeps, shown: Credentials): Promise<Caller> {
  const { address } = shown;
  const key = parseApiKey(shown.key);
  if (!key) throw httpError(deps, address);
  const record = await validRecord(deps, key);
  if (!record) throw httpError(deps, address);
  deps.noteUse(record.id);
  const wait = await deps.countCall(record.id);
  if (wait > 0) throw new AppError('rate_limited', undefined, wait);
  return callerOf(record);
}

/**
 * Checks again that a key which was let in is still valid: when what it asked for took a while, such as a body that
 * came slowly or a wait. Fails closed, too. Neither a call nor a wrong key is counted.
 *
 * @param text the key that `checkApiKey` accepted
 * @throws AppError `invalid_api_key`, or `service_unavailable` when the keys cannot be asked
 */
export async function recheckApiKey(deps: RecheckApiKeyDeps, text: string): Promise<void> {
  const key = parseApiKey(text);
  if (!key || !(await validRecord(deps, key))) throw new AppError('invalid_api_key');
}

async function validRecord(
  deps: RecheckApiKeyDeps,
  key: ApiKeyParts,
): Promise<ApiKeyRecord | null> {
  const record = await deps.findKey(key.prefix).catch(() => {
    throw new AppError(
      'service_unavailable',
      'API keys cannot be checked now: repeat the request after Retry-After seconds.',
    );
  });
  return isValidKey(key, record, deps.now()) ? record : null;
}

function httpError(deps: CheckApiKeyDeps, address: string | null): AppError {
  const { lockedFor, first } = deps.failedKeys.count(address);
  if (first) deps.noteLockOut(address);
  return lockedFor > 0 ? lockedOut(lockedFor) : new AppError('invalid_api_key');
}

function lockedOut(seconds: number): AppError {
  return new AppError(
    'rate_limited',
    'Too many wrong API keys came from this address: wait as long as Retry-After says.',
    seconds,
  );
}
