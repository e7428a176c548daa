import fc from 'fast-check';
import { hashSecret, isValidKey, parseApiKey, withoutSecrets, type ApiKeyRecord } from './api-key';

const secret = 'A'.repeat(43);
const now = new Date('2026-03-02T09:15:00.000Z');
const record: ApiKeyRecord = {
  id: '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11',
  prefix: 'abcdefghijkl',
  name: null,
  secretSha256: hashSecret(secret),
  scopes: [],
  projectId: null,
  expiresAt: null,
  revokedAt: null,
};
const key = { prefix: record.prefix, secret };

describe('A key is bt_<12>_<43>', () => {
  const base64url = fc.constantFrom(
    ...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_',
  );
  const text = (length: number) =>
    fc.string({ unit: base64url, minLength: length, maxLength: length });

  test('and is taken apart into exactly these parts, also with _ in them', () => {
    fc.assert(
      fc.property(text(12), text(43), (prefix, own) => {
        expect(parseApiKey(`bt_${prefix}_${own}`)).toEqual({ prefix, secret: own });
      }),
    );
  });

  test.each([
    '',
    `bt_abcdefghijkl_${'A'.repeat(42)}`,
    `bt_abcdefghijkl_${'A'.repeat(44)}`,
    `bt_abcdefghijk_${secret}`,
    `BT_abcdefghijkl_${secret}`,
    `bt_abcdefghijkl_${secret}\n`,
    `bt_abcdefghij.l_${secret}`,
  ])('%j is none', (given) => {
    expect(parseApiKey(given)).toBeNull();
  });
});

describe('A key is valid', () => {
  test('with the secret that was stored, and with no other', () => {
    expect(isValidKey(key, record, now)).toBe(true);
    expect(isValidKey({ ...key, secret: 'B'.repeat(43) }, record, now)).toBe(false);
    expect(isValidKey(key, null, now)).toBe(false);
  });

  test('until the moment it expires', () => {
    const at = (ms: number) => ({ ...record, expiresAt: new Date(now.getTime() + ms) });
    expect([at(1), at(0), at(-1)].map((one) => isValidKey(key, one, now))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('unless it was revoked', () => {
    expect(isValidKey(key, { ...record, revokedAt: now }, now)).toBe(false);
  });
});

test('what is stored of a secret is its SHA-256', () => {
  expect(hashSecret('abc')).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('a text loses the secrets of keys that stand in it, and nothing else', () => {
  const text = `/api/v1/api-keys/bt_abcdefghijkl_${secret}/x?bt_${'-'.repeat(12)}_${secret}`;
  expect(withoutSecrets(text)).toBe(`/api/v1/api-keys/bt_abcdefghijkl_…/x?bt_${'-'.repeat(12)}_…`);
  expect(withoutSecrets('/api/v1/api-keys/bt_abc')).toBe('/api/v1/api-keys/bt_abc');
});
