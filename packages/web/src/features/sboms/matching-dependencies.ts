import type { Schemas } from '../../api/client';

export interface DependencyRow {
  dependency: Schemas['DependencyResponse'];
  /** Open findings in this version of the package. */
  findings: number;
}

interface Contents {
  dependencies: readonly Schemas['DependencyResponse'][];
  vulnerabilities: readonly Pick<
    Schemas['BriefVulnerability'],
    'package_name' | 'package_versions' | 'status'
  >[];
}

/** The dependencies whose name, version or licence has all `words`, with their open findings. */
export function matchingDependencies(
  { dependencies, vulnerabilities }: Contents,
  { words, onlyVulnerable }: { words: string; onlyVulnerable: boolean },
): DependencyRow[] {
  const findings = openFindings(vulnerabilities);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return dependencies
    .filter(({ name, version, license }) => {
      const said = `${name} ${version} ${license ?? ''}`.toLowerCase();
      return wanted.every((word) => said.includes(word));
    })
    .map((dependency) => ({
      dependency,
      findings: findings(dependency.name, dependency.version),
    }))
    .filter(({ findings }) => !onlyVulnerable || findings > 0);
}

/** How many open findings a version of a package has. */
export function openFindings(
  vulnerabilities: Contents['vulnerabilities'],
): (name: string, version: string) => number {
  const counts = new Map<string, number>();
  for (const { package_name, package_versions, status } of vulnerabilities) {
    if (status !== 'open') continue;
    for (const version of package_versions) {
      const key = keyOf(package_name, version);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return (name, version) => counts.get(keyOf(name, version)) ?? 0;
}

function keyOf(name: string, version: string): string {
  return `${name}\n${version}`;
}
