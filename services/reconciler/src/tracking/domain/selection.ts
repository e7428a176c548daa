import type { RuleFilter } from '@bomtrail/messages';
import { isAboutAll, packageOfPurl } from '../../queries/domain/package-of-purl';
import type { Snapshot, TrackedVulnerability } from './types';
import { ownNames } from './vulnerability-names';

/**
 * DC8 Whether a standing rule's filter, apart from its services, selects a vulnerability. The same as the filters of the
 * active list do, which follow from the stored snapshot, except for notices of several CVEs, and that a purl with a version
 * selects what no other version of the package has (DC5).
 */
export function isSelected(
  vulnerability: Pick<TrackedVulnerability, 'snapshot'>,
  filter: RuleFilter,
): boolean {
  const { snapshot } = vulnerability;
  if (!snapshot) return false;
  const { severity, cve_id, package_name, purl, ecosystem, has_fix, is_direct } = filter;
  return (
    (severity === undefined || severity.includes(snapshot.severity)) &&
    (!cve_id || ownNames(snapshot).includes(cve_id.trim().toUpperCase())) &&
    (!package_name || isNamed(snapshot, package_name)) &&
    (!purl || isOfPurl(snapshot, purl)) &&
    (!ecosystem || ecosystem === snapshot.ecosystem) &&
    (has_fix === undefined || has_fix === snapshot.fixed_versions.length > 0) &&
    (is_direct === undefined || is_direct === snapshot.is_direct)
  );
}

/** The beginning that a filter by name asks for with a star at the end, in lower case; null: it asks for a whole name. */
export function prefixOf(packageName: string): string | null {
  const name = packageName.trim().toLowerCase();
  return name.endsWith('*') ? name.slice(0, -1) : null;
}

function isNamed({ package_name }: Snapshot, wanted: string): boolean {
  const name = package_name.toLowerCase();
  const prefix = prefixOf(wanted);
  return prefix === null ? name === wanted.trim().toLowerCase() : name.startsWith(prefix);
}

function isOfPurl(snapshot: Snapshot, purl: string): boolean {
  const wanted = packageOfPurl(purl);
  if (wanted?.ecosystem !== snapshot.ecosystem) return false;
  const name = snapshot.package_name.toLowerCase();
  const isSame = typeof wanted.name === 'string' ? wanted.name === name : wanted.name.test(name);
  return isSame && isAboutAll(wanted.version, snapshot.package_versions);
}
