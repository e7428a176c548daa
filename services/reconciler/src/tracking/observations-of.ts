import type { FindingsReport } from '@bomtrail/messages';
import type { Observation } from './domain/types';
import { detailsIdOf, type NewDetails, type PackageDetails } from './store/details-document';

/** The findings of a scanner report, in its order, and the details that they refer to. */
export interface JoinedReport {
  observations: Observation[];
  details: NewDetails;
}

/** Joins each finding of a scanner report with its details. */
export function joinReport({ findings, vulnerabilities }: FindingsReport): JoinedReport {
  const details = new Map<string, PackageDetails>();
  const ids = new Map<string, string>();
  const observations = findings.map((finding): Observation => {
    const { package_name, ecosystem, is_root } = finding;
    const own = vulnerabilities[finding.details];
    if (!own) throw new Error(`The scanner sent no details for ${finding.details}.`);
    const has_fix = finding.fixed_versions.length > 0;
    const about = { package_name, ecosystem, has_fix };
    const key = `${finding.details}\n${ecosystem}\n${package_name}\n${has_fix}`;
    const id = ids.get(key) ?? detailsIdOf(finding.details, about);
    if (!ids.has(key)) {
      ids.set(key, id);
      details.set(id, { package_name, ecosystem, has_fix, ...own });
    }
    return {
      package_key: finding.package_key,
      package_name,
      package_version: finding.package_version,
      purl: finding.purl,
      ecosystem,
      is_direct: finding.is_direct,
      ...(is_root ? { is_root: true } : {}),
      fixed_versions: finding.fixed_versions,
      details: id,
      aliases: own.aliases,
      advisory_ids: own.advisory_ids,
      cve_id: own.cve_id,
      severity: own.severity,
      cvss_score: own.cvss_score,
      published_at: own.published_at,
      ...(own.upstream && { upstream: own.upstream }),
    };
  });
  return { observations, details };
}
