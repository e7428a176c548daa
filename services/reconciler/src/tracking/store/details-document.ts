import { createHash } from 'node:crypto';
import type { Severity, VulnerabilityDetails } from '@bomtrail/messages';
import { riskValues, type RatedValues } from '../../risk/domain/risk-values';
import { inUpperCase } from '../domain/vulnerability-names';
import { riskFields } from '../../risk/store/risk-fields';
import type { DetailsDocument } from './documents';

/** Details as the scanner sends them, with the package that they are about. */
export interface PackageDetails extends VulnerabilityDetails {
  package_name: string;
  ecosystem: string;
  /** A version with a fix is known for the version found. */
  has_fix: boolean;
}

/** Details by id. */
export type NewDetails = ReadonlyMap<string, PackageDetails>;

const factNames = [
  ...(['title', 'package_name', 'ecosystem', 'aliases', 'upstream'] as const),
  ...(['cve_id', 'severity', 'cvss_score', 'published_at'] as const),
] as const;

/** The part of a snapshot that follows from the details, and what the vulnerability is called. */
export type DetailsFacts = Pick<PackageDetails, (typeof factNames)[number]>;
export const factsProjection = Object.fromEntries(factNames.map((name) => [name, 1 as const]));

/** What details sort by. */
export const severityRanks: Record<Severity, number | null> = {
  critical: 5,
  high: 4,
  medium: 3,
  low: 2,
  none: 1,
  unknown: null,
};

/** A vulnerability without score sorts at the lower bound of its severity band (docs/rules.md VU7). */
const bandFloors: Record<Severity, number | null> = {
  critical: 9,
  high: 7,
  medium: 4,
  low: 0.1,
  none: 0,
  unknown: null,
};

/** 132 bits. */
const idLength = 22;

/**
 * The id of the details of a vulnerability in a package.
 *
 * @param hash the scanner's hash of the details, which does not cover the package
 */
export function detailsIdOf(
  hash: string,
  {
    package_name,
    ecosystem,
    has_fix,
  }: Pick<PackageDetails, 'package_name' | 'ecosystem' | 'has_fix'>,
): string {
  const content = `${hash}\n${ecosystem}\n${package_name}\n${has_fix}`;
  return createHash('sha256').update(content).digest('base64url').slice(0, idLength);
}

/** Details as they are stored first, without scores. A sweep confirms their risk values. */
export function toDetailsDocument(_id: string, details: PackageDetails): DetailsDocument {
  const { severity, published_at } = details;
  const score_sort = details.cvss_score ?? bandFloors[severity];
  const values = {
    score_sort,
    severity_rank: severityRanks[severity],
    published_sort: published_at === null ? null : new Date(published_at),
  };
  const { missing, ...risk } = riskFields(riskValues({ score_sort, has_fix: details.has_fix }, []));
  return {
    ...details,
    _id,
    ...risk,
    ...values,
    package_sort: details.package_name.toLowerCase(),
    alias_keys: inUpperCase([...details.aliases, ...(details.upstream ?? [])]),
    missing: {
      score_sort: values.score_sort === null,
      severity_rank: values.severity_rank === null,
      published_sort: values.published_sort === null,
      ...missing,
    },
    has_open: true,
    risk_pending: true,
  };
}

/** The same document with these risk values. */
export function withRiskValues(document: DetailsDocument, values: RatedValues): DetailsDocument {
  const { missing, ...fields } = riskFields(values);
  return { ...document, ...fields, missing: { ...document.missing, ...missing } };
}

/** The fields of a stored document that are not details. */
export const unlistedFields = {
  alias_keys: 0,
  score_sort: 0,
  severity_rank: 0,
  package_sort: 0,
  published_sort: 0,
  epss_score: 0,
  epss_percentile: 0,
  kev: 0,
  kev_sort: 0,
  risk: 0,
  exploited_known_at: 0,
  risk_pending: 0,
  has_fix: 0,
  missing: 0,
  has_open: 0,
  marked_at: 0,
} as const;

/** The facts of details. */
export function factsOf(details: Omit<PackageDetails, 'has_fix'>): DetailsFacts {
  const { title, package_name, ecosystem, aliases, upstream } = details;
  const { cve_id, severity, cvss_score, published_at } = details;
  // Each named: V8 of Node.js 20 takes much longer for a copy with more fields.
  const facts = {
    title,
    package_name,
    ecosystem,
    aliases,
    cve_id,
    severity,
    cvss_score,
    published_at,
  };
  return upstream ? { ...facts, upstream } : facts;
}
