import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const tokenBytes = 32;

/** A new token of a cookie: 256 random bits. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString('base64url');
}

/** What is stored instead of a token. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Encrypts a text with a key made from a token, of which the database has the hash alone: what it
 * stores is of no use to a reader of the database.
 */
export function seal(text: string, token: string): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, keyOf(token), iv);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]);
}

/** @throws Error if it was sealed with another token, or changed */
export function unseal(sealed: Buffer, token: string): string {
  const decipher = createDecipheriv(algorithm, keyOf(token), sealed.subarray(0, ivBytes));
  decipher.setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
  const text = [decipher.update(sealed.subarray(ivBytes + tagBytes)), decipher.final()];
  return Buffer.concat(text).toString('utf8');
}

function keyOf(token: string): Buffer {
  return Buffer.from(hkdfSync('sha256', token, '', 'bomtrail session', 32));
}
