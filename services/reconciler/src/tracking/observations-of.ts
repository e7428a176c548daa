import type { FindingsReport } from '@bomtrail/messages';
import type { Observation } from './domain/types';

/** Joins each finding of a scanner report with its details, in the order of the report. */
export function observationsOf({ findings, vulnerabilities }: FindingsReport): Observation[] {
  return findings.map((finding): Observation => {
    const details = vulnerabilities[finding.details];
    if (!details) throw new Error(`The scanner sent no details for ${finding.details}.`);
    return {
      package_key: finding.package_key,
      package_name: finding.package_name,
      package_version: finding.package_version,
      purl: finding.purl,
      ecosystem: finding.ecosystem,
      is_direct: finding.is_direct,
      ...(finding.is_root ? { is_root: true } : {}),
      fixed_versions: finding.fixed_versions,
      details: finding.details,
      aliases: details.aliases,
      advisory_ids: details.advisory_ids,
      cve_id: details.cve_id,
      severity: details.severity,
      cvss_score: details.cvss_score,
      published_at: details.published_at,
    };
  });
}
