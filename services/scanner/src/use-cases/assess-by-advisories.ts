import { packageKey, type PackageVersion } from '@bomtrail/osv';
import { createAssessor, type Assessment, type Assessor } from '../domain/assess-version';
import type { StoredAdvisory } from '../store/advisory-documents';

/**
 * Judges package versions by the advisories of their packages, in the order of the versions.
 *
 * @param visitAll hands over every advisory of the packages, each once; not more than one needs to be
 *   in memory at a time: a kernel has thousands of large ones
 */
export async function assessByAdvisories(
  versions: readonly PackageVersion[],
  visitAll: (packages: string[], visit: (advisory: StoredAdvisory) => void) => Promise<void>,
): Promise<Assessment[]> {
  const ofPackage = new Map<string, Assessor[]>();
  const all = versions.map((version) => {
    const assessor = createAssessor(version);
    const key = keyOf(version);
    const others = ofPackage.get(key);
    if (others) others.push(assessor);
    else ofPackage.set(key, [assessor]);
    return assessor;
  });
  await visitAll([...ofPackage.keys()], (advisory) => {
    for (const key of advisory.affects)
      for (const assessor of ofPackage.get(key) ?? []) assessor.consider(advisory);
  });
  return all.map((assessor) => assessor.end());
}

export function keyOf({ ecosystem, name }: PackageVersion): string {
  return packageKey(ecosystem, name);
}
