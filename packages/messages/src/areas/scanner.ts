import { z } from 'zod';
import { rpc } from '../define';
import { digest, type AdvisoryData, type Severity } from './fields';

/** One alias group that affects one package version of a component set. */
export interface Finding {
  /** The component as the document names it. */
  purl: string;
  package_name: string;
  package_version: string;
  ecosystem: string;
  is_direct: boolean;
  /** `<ecosystem>|<normalised name>`: the package whatever its version. */
  package_key: string;
  /** Fixed versions above the version at hand, ascending. */
  fixed_versions: string[];
  /** Key into `vulnerabilities` of the same answer: hex digest over the details. */
  details: string;
}

/** What people read about one alias group in one package (decisions.md "Vulnerabilities"). */
export interface VulnerabilityDetails {
  cve_id: string;
  /** Every id of the alias group, the matching advisories included. */
  aliases: string[];
  /** The advisories that match the package version. */
  advisory_ids: string[];
  severity: Severity;
  cvss_score: number | null;
  cvss_vector: string | null;
  title: string;
  description: string;
  published_at: string | null;
  modified_at: string | null;
  references: { type: string; url: string }[];
}

/** How much of a component set could be judged. `undetermined`: count by reason. */
export interface Coverage {
  components: number;
  evaluated: number;
  undetermined: Record<string, number>;
}

/** The answer's attachment, as JSON that is gzip'd when it is large: findings of a component set at one advisory revision. */
export interface FindingsReport {
  findings: Finding[];
  vulnerabilities: Record<string, VulnerabilityDetails>;
}

/** Fails with `sbom_not_found` when the set was never evaluated. Attachment of the answer: `FindingsReport`. */
export const readFindings = rpc<{
  revision: number;
  coverage: Coverage;
  advisory_data: AdvisoryData;
}>()({
  service: 'scanner',
  name: 'read-findings.v1',
  request: z.object({ digest }),
  timeoutMs: 60_000,
});

/** Counts of a component set without its findings; null when it was not evaluated yet. */
export const readCoverage = rpc<{ coverage: Coverage | null; advisory_data: AdvisoryData }>()({
  service: 'scanner',
  name: 'read-coverage.v1',
  request: z.object({ digest: digest.nullable() }),
});
