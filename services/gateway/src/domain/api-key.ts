import { createHash, timingSafeEqual } from 'node:crypto';

export const scopes = ['read', 'upload', 'write', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** The two parts of a key: `bt_<prefix>_<secret>` (docs/rules.md AK1). */
export interface ApiKeyParts {
  /** Names the record; no secret. */
  prefix: string;
  secret: string;
}

/** What is kept of a key. */
export interface ApiKeyRecord {
  id: string;
  prefix: string;
  name: string | null;
  secretSha256: string;
  scopes: readonly Scope[];
  /** The project that the key is bound to; null: all projects. */
  projectId: string | null;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const form = /^bt_([A-Za-z0-9_-]{12})_([A-Za-z0-9_-]{43})$/;

/** Splits a key; null when it has not the form of one. */
export function parseApiKey(text: string): ApiKeyParts | null {
  const [, prefix, secret] = form.exec(text) ?? [];
  return prefix && secret ? { prefix, secret } : null;
}

/** Takes the secrets out of a text in which someone put API keys, such as a path. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/(bt_[A-Za-z0-9_-]{12}_)[A-Za-z0-9_-]{43}/g, '$1…');
}

/** SHA-256 of a secret in lower-case hex. The secret has 256 random bits: a slow hash adds nothing. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Stands in for the record of an unknown key, so that refusing it costs what refusing a known one does. */
const nobodysHash = '0'.repeat(64);

/**
 * Is this the key of that record, at this time? Hashes and compares in constant time whether or not
 * there is a record.
 */
export function isValidKey(key: ApiKeyParts, record: ApiKeyRecord | null, now: Date): boolean {
  const given = Buffer.from(hashSecret(key.secret), 'hex');
  const kept = Buffer.from(record?.secretSha256 ?? nobodysHash, 'hex');
  const same = timingSafeEqual(given, kept);
  if (!same || !record || record.revokedAt) return false;
  return record.expiresAt === null || record.expiresAt > now;
}
