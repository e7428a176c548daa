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

/** The licence policy of a project (docs/rules.md LP1 to LP5). */
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
