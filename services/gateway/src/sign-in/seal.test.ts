import { newToken, seal, tokenHash, unseal } from './seal';

test('a sealed text is read with its token alone', () => {
  const token = newToken();
  const sealed = seal('refresh token', token);
  expect(unseal(sealed, token)).toBe('refresh token');
  expect(sealed.toString('latin1')).not.toContain('refresh');
  expect(() => unseal(sealed, newToken())).toThrow();
  expect(() => unseal(sealed, tokenHash(token))).toThrow();
  const changed = Buffer.from(sealed);
  changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
  expect(() => unseal(changed, token)).toThrow();
});

test('tokens have 256 bits and differ', () => {
  expect(newToken()).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(newToken()).not.toBe(newToken());
});
