import { hashSecret } from '../domain/api-key';
import { checkApiKey } from './check-api-key';

const secret = 'A'.repeat(43);
const text = `bt_abcdefghijkl_${secret}`;
const record = {
  id: 'id',
  prefix: 'abcdefghijkl',
  secretSha256: hashSecret(secret),
  scopes: ['read' as const],
  projectId: 'project',
  expiresAt: null,
  revokedAt: null,
};
const now = () => new Date();

test('a valid key says who the caller is', async () => {
  const findKey = async () => record;
  expect(await checkApiKey({ findKey, now }, text)).toEqual({
    keyId: 'id',
    scopes: ['read'],
    projectId: 'project',
  });
});

test.each([
  ['unknown', text, null],
  ['of another secret', text, { ...record, secretSha256: hashSecret('x') }],
  ['not of the form of a key', 'nonsense', record],
])('a key that is %s is invalid', async (_what, given, found) => {
  await expect(checkApiKey({ findKey: async () => found, now }, given)).rejects.toMatchObject({
    code: 'invalid_api_key',
  });
});

test('nobody is let in when the keys cannot be asked', async () => {
  const findKey = async () => Promise.reject(new Error('down'));
  await expect(checkApiKey({ findKey, now }, text)).rejects.toMatchObject({
    code: 'service_unavailable',
  });
});
