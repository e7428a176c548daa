import { rightsOfScopes } from '../access/domain/rights';
import { hashSecret, type ApiKeyRecord } from './domain/api-key';
import { callerOf } from './domain/caller';
import { createFailedKeys } from './store/failed-keys';
import { checkApiKey, recheckApiKey, type CheckApiKeyDeps } from './check-api-key';

const secret = 'A'.repeat(43);
const text = `bt_abcdefghijkl_${secret}`;
const address = '192.0.2.1';
const record: ApiKeyRecord = {
  id: 'id',
  prefix: 'abcdefghijkl',
  name: 'CI',
  secretSha256: hashSecret(secret),
  scopes: ['read'],
  projectId: 'project',
  expiresAt: null,
  revokedAt: null,
};
const now = () => new Date();

let used: string[];
let lockedOut: (string | null)[];
beforeEach(() => {
  used = [];
  lockedOut = [];
});

/** Finds this record whatever is asked for. */
function depsWith(found: ApiKeyRecord | null, own: Partial<CheckApiKeyDeps> = {}) {
  return {
    findKey: async () => found,
    failedKeys: createFailedKeys({ perMinute: 2 }),
    noteLockOut: (from: string | null) => void lockedOut.push(from),
    countCall: async () => 0,
    noteUse: (keyId: string) => void used.push(keyId),
    callerOf: async (key: ApiKeyRecord) => callerOf(key),
    now,
    ...own,
  };
}

function check(deps: CheckApiKeyDeps, key = text) {
  return checkApiKey(deps, { key, address });
}

/** The codes with which so many wrong keys are refused one after the other. */
async function codesOf(deps: CheckApiKeyDeps, keys: readonly string[]): Promise<string[]> {
  const codes: string[] = [];
  for (const key of keys) {
    await check(deps, key).catch((error: { code: string }) => codes.push(error.code));
  }
  return codes;
}

test('a valid key says who the caller is, and that it was used', async () => {
  expect(await check(depsWith(record))).toEqual({
    id: 'id',
    identity: { kind: 'key', prefix: 'abcdefghijkl', name: 'CI', scopes: ['read'] },
    grants: [{ rights: rightsOfScopes(['read']), projects: ['project'] }],
    projects: ['project'],
    expiresAt: null,
  });
  expect(used).toEqual(['id']);
});

test.each([
  ['unknown', text, null],
  ['of another secret', text, { ...record, secretSha256: hashSecret('x') }],
  ['not of the form of a key', 'nonsense', record],
  ['revoked', text, { ...record, revokedAt: now() }],
])('a key that is %s is invalid, and was not used', async (_what, given, found) => {
  await expect(check(depsWith(found), given)).rejects.toMatchObject({ code: 'invalid_api_key' });
  expect(used).toEqual([]);
});

test('nobody is let in when the keys cannot be asked', async () => {
  const deps = depsWith(null, { findKey: async () => Promise.reject(new Error('down')) });
  await expect(check(deps)).rejects.toMatchObject({ code: 'service_unavailable' });
});

test('a valid key that has made its calls is told how long to wait', async () => {
  const deps = depsWith(record, { countCall: async () => 17 });
  await expect(check(deps)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 17 });
});

test('wrong keys lock their address out for wrong keys, and that is told once', async () => {
  const wrong = depsWith(null);
  expect(await codesOf(wrong, [text, 'nonsense', text, text])).toEqual([
    ...['invalid_api_key', 'invalid_api_key'],
    ...['rate_limited', 'rate_limited'],
  ]);
  expect(lockedOut).toEqual([address]);
  await expect(check(wrong)).rejects.toMatchObject({ retryAfterSeconds: 60 });
  await expect(checkApiKey(wrong, { key: text, address: '192.0.2.2' })).rejects.toMatchObject({
    code: 'invalid_api_key',
  });
});

test('a valid key from a locked-out address is let in', async () => {
  const failedKeys = createFailedKeys({ perMinute: 2 });
  await codesOf(depsWith(null, { failedKeys }), Array<string>(10).fill(text));
  for (let call = 0; call < 200; call += 1) {
    expect(await check(depsWith(record, { failedKeys }))).toMatchObject({ id: 'id' });
  }
});

describe('a key that was let in, looked at again', () => {
  const codeOf = (deps: CheckApiKeyDeps) =>
    recheckApiKey(deps, text).then(
      () => 'valid',
      (error: { code: string }) => error.code,
    );
  const past = new Date(Date.now() - 1);

  test.each([
    ['valid', record],
    ['invalid_api_key', null],
    ['invalid_api_key', { ...record, revokedAt: past }],
    ['invalid_api_key', { ...record, expiresAt: past }],
    ['invalid_api_key', { ...record, secretSha256: hashSecret('B'.repeat(43)) }],
  ])('is %s as its record of now says', async (code, found) => {
    expect(await codeOf(depsWith(found))).toBe(code);
    expect([used, lockedOut]).toEqual([[], []]);
  });

  test('is refused when nobody can say', async () => {
    const findKey = () => Promise.reject(new Error('away'));
    expect(await codeOf(depsWith(record, { findKey }))).toBe('service_unavailable');
  });
});
