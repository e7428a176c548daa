import { z } from 'zod';
import { rpc } from '../define';
import { digest } from './fields';

/** Groups of licences that a policy has rules for; the contract's `license_group` without `unknown`. */
export const licenseGroups = [
  'public_domain',
  'permissive',
  'weak_copyleft',
  'strong_copyleft',
  'network_copyleft',
  'source_available',
  'non_commercial',
] as const;

const action = z.enum(['allow', 'warn', 'deny']);
const group = action.optional();

/** The licence policy of a project (docs/rules.md LP1 to LP6). */
export const licensePolicy = z.object({
  groups: z
    .object({
      public_domain: group,
      permissive: group,
      weak_copyleft: group,
      strong_copyleft: group,
      network_copyleft: group,
      source_available: group,
      non_commercial: group,
    } satisfies Record<(typeof licenseGroups)[number], typeof group>)
    .optional(),
  unknown: z.enum(['warn', 'deny']).optional(),
  licenses: z.array(z.object({ license: z.string(), action })).optional(),
  exceptions: z
    .array(
      z.object({
        purl: z.string(),
        license: z.string().nullable().optional(),
        reason: z.string(),
        expires_at: z.string().nullable().optional(),
      }),
    )
    .optional(),
});
export type LicensePolicy = z.infer<typeof licensePolicy>;

/** Maximum components that are listed with a judgement. */
export const maxLicensesReturned = 100;

/** A component that a policy does not simply allow. Long texts are cut. */
export interface JudgedLicense {
  name: string;
  version: string;
  purl: string | null;
  license: string | null;
  outcome: 'deny' | 'unknown' | 'warn';
  rule: 'license' | 'group' | 'unknown';
}

/** The components of a document by what a policy says of their licences, each once. */
export interface LicenseJudgement {
  allowed: number;
  warned: number;
  denied: number;
  unknown: number;
  /** Allowed by an exception; not in `allowed`. */
  excepted: number;
  /**
   * Rules of the policy about texts that resemble ids of the SPDX list and that no component states. Absent: an earlier
   * release does not know.
   */
  unknown_rules?: { license: string; similar: string[] }[];
  /** Those that are denied, unknown and warned of, in this order, at most `maxLicensesReturned`. */
  components: JudgedLicense[];
}

/**
 * Judges the licences of a component set, or, with `digest` null, of the components in the
 * attachment (as of `readComponents`). Fails with `sbom_not_found`.
 */
export const judgeLicenses = rpc<LicenseJudgement>()({
  service: 'ingest',
  callers: ['gateway'],
  name: 'judge-licenses.v1',
  request: z.object({ digest: digest.nullable(), policy: licensePolicy, at: z.string() }),
  timeoutMs: 120_000,
});

/** Components by one licence id or one group: exactly one is not null. */
export const licenseQuery = z.object({
  license: z.string().nullable(),
  group: z.enum([...licenseGroups, 'unknown']).nullable(),
});
export type LicenseQuery = z.infer<typeof licenseQuery>;

/**
 * Component sets with a licence id or group (docs/rules.md LI5). Attachment of the response: JSON
 * array of digests, as `packJson` packs it. `complete`: all stored sets are indexed, for an own id
 * none with too many of these. `key`: for
 * `readLicensed`; null if `license` is no id, then `similar` has ids that begin like it.
 */
export const findLicensedSets = rpc<{
  sets: number;
  complete: boolean;
  key: string | null;
  similar: string[];
}>()({
  service: 'ingest',
  callers: ['catalog'],
  name: 'find-licensed-sets.v1',
  request: licenseQuery,
  timeoutMs: 30_000,
});

/** A component with its licence as in the document; long texts are cut. */
export interface LicensedComponent {
  name: string;
  version: string;
  purl: string | null;
  license: string | null;
}

/** By digest: the number of components under a key, and the first of them. */
export type LicensedEntries = Record<string, { count: number; first: LicensedComponent[] }>;

/** Digests per `read-licensed` request. */
export const maxLicensedSets = 1_000;

/**
 * Components of some sets under a key of `findLicensedSets`. Attachment of the response:
 * `LicensedEntries` as JSON, as `packJson` packs it.
 */
export const readLicensed = rpc<{ sets: number }>()({
  service: 'ingest',
  callers: ['catalog'],
  name: 'read-licensed.v1',
  request: z.object({ key: z.string(), digests: z.array(digest).max(maxLicensedSets) }),
  timeoutMs: 30_000,
});
