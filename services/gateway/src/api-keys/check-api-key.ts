import { AppError } from '@bomtrail/messages';
import { isValidKey, parseApiKey, type ApiKeyParts, type ApiKeyRecord } from './domain/api-key';
import type { Caller } from './domain/caller';
import type { FailedKeys } from './store/failed-keys';
import type { FindKey } from './store/key-cache';

export interface CheckApiKeyDeps {
  findKey: FindKey;
  failedKeys: FailedKeys;
  /** Called once for an address that becomes locked out. */
  noteLockOut: (address: string | null) => void;
  /** Counts a call of a key: 0 if allowed, else the seconds to wait. */
  countCall: (keyId: string) => Promise<number>;
  /** Called for every accepted key. */
  noteUse: (keyId: string) => void;
  /** @throws AppError `service_unavailable` if the owner of a key cannot be read */
  callerOf: (key: ApiKeyRecord) => Promise<Caller>;
  now: () => Date;
}

/** Dependencies of a second check. */
export type RecheckApiKeyDeps = Pick<CheckApiKeyDeps, 'findKey' | 'callerOf' | 'now'>;

/** A key and where it comes from. */
export interface PresentedKey {
  /** The presented key. */
  key: string;
  /** Client address; null if unknown. */
  address: string | null;
}

/**
 * Authenticates a caller and applies rate limits, for all transports. Fails closed: without the
 * database nobody is admitted. An address with many invalid keys is only told to wait, but valid
 * keys from it still work, because others may share the address. The key cache bounds the database
 * load of unknown keys.
 *
 * @throws AppError `invalid_api_key`, `rate_limited`, or `service_unavailable` if keys cannot be
 * checked
 */
export async function checkApiKey(deps: CheckApiKeyDeps, logged: PresentedKey): Promise<Caller> {
  const { address } = logged;
  const key = parseApiKey(logged.key);
  if (!key) throw invalidCredentials(deps, address);
  const record = await validRecord(deps, key);
  if (!record) throw invalidCredentials(deps, address);
  deps.noteUse(record.id);
  const wait = await deps.countCall(record.id);
  if (wait > 0) throw new AppError('rate_limited', undefined, wait);
  return deps.callerOf(record);
}

/**
 * Checks again that an accepted key is still valid, after a slow body or a wait. Fails closed.
 * Counts neither a call nor an invalid key.
 *
 * @param text the key that `checkApiKey` accepted
 * @throws AppError `invalid_api_key`, or `service_unavailable` if keys cannot be checked
 */
export async function recheckApiKey(deps: RecheckApiKeyDeps, text: string): Promise<Caller> {
  const key = parseApiKey(text);
  const record = key && (await validRecord(deps, key));
  if (!record) throw new AppError('invalid_api_key');
  return deps.callerOf(record);
}

async function validRecord(
  deps: Pick<RecheckApiKeyDeps, 'findKey' | 'now'>,
  key: ApiKeyParts,
): Promise<ApiKeyRecord | null> {
  const record = await deps.findKey(key.prefix).catch(() => {
    throw new AppError(
      'service_unavailable',
      'API keys cannot be checked: repeat the request after the seconds in Retry-After.',
    );
  });
  return isValidKey(key, record, deps.now()) ? record : null;
}

/** The error of invalid credentials; an address with many of them is told to wait. */
export function invalidCredentials(
  deps: Pick<CheckApiKeyDeps, 'failedKeys' | 'noteLockOut'>,
  address: string | null,
  error = new AppError('invalid_api_key'),
): AppError {
  const { lockedFor, first } = deps.failedKeys.count(address);
  if (first) deps.noteLockOut(address);
  return lockedFor > 0 ? lockedOut(lockedFor) : error;
}

function lockedOut(seconds: number): AppError {
  return new AppError(
    'rate_limited',
    'Too many invalid API keys from this address: wait for the seconds in Retry-After.',
    seconds,
  );
}
