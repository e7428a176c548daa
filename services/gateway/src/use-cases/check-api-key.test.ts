import { hashSecret } from '../domain/api-key';
import { checkApiKey } from './check-api-key';

const secret = 'A'.repeat(43);
const text = `bt_abcdefghijkl_${secret}`;
const record = {
  id: 'id',
  prefix: 'abcdefghijkl',
  name: 'CI',
  secretSha256: hashSecret(secret),
  scopes: ['read' as const],
  projectId: 'project',
  expiresAt: null,
  revokedAt: null,
};
const now = () => new Date();

let used: string[];
beforeEach(() => (used = []));
const countCall = async () => 0;
const noteUse = (keyId: string) => void used.push(keyId);

test('a valid key says who the caller is, and that it was used', async () => {
  const findKey = async () => record;
  expect(await checkApiKey({ findKey, countCall, noteUse, now }, text)).toEqual({
    keyId: 'id',
    keyPrefix: 'abcdefghijkl',
    keyName: 'CI',
    scopes: ['read'],
    projectId: 'project',
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
  const deps = { findKey: async () => found, countCall, noteUse, now };
  await expect(checkApiKey(deps, given)).rejects.toMatchObject({ code: 'invalid_api_key' });
  expect(used).toEqual([]);
});

test('nobody is let in when the keys cannot be asked', async () => {
  const findKey = async () => Promise.reject(new Error('down'));
  await expect(checkApiKey({ findKey, countCall, noteUse, now }, text)).rejects.toMatchObject({
    code: 'service_unavailable',
  });
});

test('a valid key that has made its calls is told how long to wait', async () => {
  const deps = { findKey: async () => record, countCall: async () => 17, noteUse, now };
  await expect(checkApiKey(deps, text)).rejects.toMatchObject({
    code: 'rate_limited',
    retryAfterSeconds: 17,
  });
});
