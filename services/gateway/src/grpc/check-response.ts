import { gunzipSync } from 'node:zlib';
import type {
  CheckedVulnerability,
  CheckSBOMResponse,
  LicenseJudgement,
  Remark,
  SbomQuality,
} from '@bomtrail/grpc-contract';
import type * as messages from '@bomtrail/messages';
import { licensesView } from '../gate/licenses-view';
import type { CheckedDocument } from '../check/check-document';

/**
 * The response to a check. The list of all vulnerabilities stays packed: it may have tens of
 * megabytes, and most clients read the failing ones only.
 */
export function checkResponse(
  checked: CheckedDocument,
  given: { version: string | null; service_name: string | null; sha256: string },
): CheckSBOMResponse {
  const { parsed, scope, outcome, coverage } = checked;
  const { found } = outcome;
  const baseline = scope?.baseline;
  return {
    verdict: checked.verdict,
    reasons: checked.reasons.map(remark),
    caveats: checked.caveats.map(remark),
    format: parsed.format,
    spec_version: parsed.spec_version,
    dependency_count: parsed.dependency_count,
    sha256: given.sha256,
    project_id: scope?.project_id ?? '',
    service_id: (scope?.service_name ? scope.service_id : null) ?? '',
    service_name: (scope ? scope.service_name : given.service_name) ?? '',
    version: given.version ?? '',
    baseline: baseline
      ? {
          sbom_id: baseline.id,
          version: baseline.version ?? '',
          scan_status: baseline.scan_status,
        }
      : undefined,
    counts: found.counts,
    new_counts: found.new_counts ?? undefined,
    decided: found.decided,
    coverage: {
      scope: coverage.scope,
      components: coverage.components,
      evaluated: coverage.evaluated,
      undetermined: { ...coverage.undetermined },
    },
    advisory_data: outcome.advisory_data,
    failing_total: found.failing,
    failing: failingOf(checked.failing).map(vulnerability),
    total: outcome.total,
    licenses: licenses(checked),
    quality: quality(parsed.quality),
    vulnerabilities_json_gzip: Buffer.from(checked.vulnerabilities),
  };
}

function licenses(checked: CheckedDocument): LicenseJudgement | undefined {
  const judged = licensesView(checked.licenses);
  if (!judged) return undefined;
  const components = judged.components.map(({ purl, license, ...component }) => ({
    ...component,
    purl: purl ?? '',
    license: license ?? '',
  }));
  return { ...judged, components };
}

function quality({ elements, ...scores }: messages.SbomQuality): SbomQuality {
  return {
    ...scores,
    elements: elements.map(({ reason, ...one }) => ({ ...one, reason: reason ?? '' })),
  };
}

const remark = ({ code, message }: Remark): Remark => ({ code, message });

/** At most `maxFailingReturned` records. */
function failingOf(packed: Uint8Array): messages.CheckedVulnerability[] {
  if (packed.length === 0) return [];
  return JSON.parse(gunzipSync(packed).toString()) as messages.CheckedVulnerability[];
}

function vulnerability(found: messages.CheckedVulnerability): CheckedVulnerability {
  return {
    cve_id: found.cve_id,
    aliases: found.aliases,
    advisory_ids: found.advisory_ids,
    severity: found.severity,
    cvss_score: found.cvss_score ?? undefined,
    title: found.title ?? '',
    package_name: found.package_name,
    package_version: found.package_version,
    purl: found.purl ?? '',
    fixed_versions: found.fixed_versions,
    is_direct: found.is_direct,
    is_new: found.is_new ?? undefined,
    failed_rules: found.failed_rules,
    epss_score: found.epss_score ?? undefined,
    kev: Boolean(found.kev),
  };
}
