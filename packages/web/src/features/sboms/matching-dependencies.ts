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
  const counts = new Map<string, number>();
  for (const { package_name, package_versions, status } of vulnerabilities) {
    if (status !== 'open') continue;
    for (const version of package_versions) {
      const key = keyOf(package_name, version);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return dependencies
    .filter(({ name, version, license }) => {
      const said = `${name} ${version} ${license ?? ''}`.toLowerCase();
      return wanted.every((word) => said.includes(word));
    })
    .map((dependency) => ({
      dependency,
      findings: counts.get(keyOf(dependency.name, dependency.version)) ?? 0,
    }))
    .filter(({ findings }) => !onlyVulnerable || findings > 0);
}

function keyOf(name: string, version: string): string {
  return `${name}\n${version}`;
}
