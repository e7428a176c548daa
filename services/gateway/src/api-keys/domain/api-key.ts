import { createHash, timingSafeEqual } from 'node:crypto';
import type { NamedPerson } from '../../access/domain/named-person';

export const scopes = ['read', 'upload', 'write', 'admin'] as const;
export type Scope = (typeof scopes)[number];

/** The two parts of a key: `bt_<prefix>_<secret>` (docs/rules.md AK1). */
export interface ApiKeyParts {
  /** Identifies the record; not secret. */
  prefix: string;
  secret: string;
}

/** The stored part of a key. */
export interface ApiKeyRecord {
  id: string;
  prefix: string;
  name: string | null;
  secretSha256: string;
  scopes: readonly Scope[];
  /** The project that the key is bound to; null: all projects. */
  projectId: string | null;
  /** The person whose own it is; absent: nobody's. */
  owner?: NamedPerson;
  expiresAt: Date | null;
  revokedAt: Date | null;
}

const form = /^bt_([A-Za-z0-9_-]{12})_([A-Za-z0-9_-]{43})$/;

/** Parses a key; null if malformed. */
export function parseApiKey(text: string): ApiKeyParts | null {
  const [, prefix, secret] = form.exec(text) ?? [];
  return prefix && secret ? { prefix, secret } : null;
}

/** Redacts the secrets of API keys in a text, such as a path. */
export function withoutSecrets(text: string): string {
  return text.replaceAll(/(bt_[A-Za-z0-9_-]{12}_)[A-Za-z0-9_-]{43}/g, '$1…');
}

/** SHA-256 of a secret in lower-case hex. The secret has 256 random bits: a slow hash adds nothing. */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Stands in for the record of an unknown key, so that its rejection takes the same time. */
const dummyHash = '0'.repeat(64);

/**
 * Whether this is the key of that record and valid now. Hashes and compares in constant time even
 * without a record.
 */
export function isValidKey(key: ApiKeyParts, record: ApiKeyRecord | null, now: Date): boolean {
  const given = Buffer.from(hashSecret(key.secret), 'hex');
  const expected = Buffer.from(record?.secretSha256 ?? dummyHash, 'hex');
  const same = timingSafeEqual(given, expected);
  if (!same || !record || record.revokedAt) return false;
  return record.expiresAt === null || record.expiresAt > now;
}
