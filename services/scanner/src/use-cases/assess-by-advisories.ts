import { packageKey, type PackageVersion } from '@bomtrail/osv';
import { createAssessor, type Assessment, type Assessor } from '../domain/assess-version';
import type { StoredAdvisory } from '../store/advisory-documents';
import type { AdvisoryStore } from '../store/advisory-store';

/**
 * Judges package versions by the advisories of their packages as of a revision, in the order of the
 * versions. One advisory is in memory at a time: a kernel has thousands of large ones.
 *
 * @param onAdvisory is shown each advisory once
 */
export async function assessByAdvisories(
  deps: { advisories: Pick<AdvisoryStore, 'visitByPackages'> },
  versions: readonly PackageVersion[],
  at: { revision: number; onAdvisory?: (advisory: StoredAdvisory) => void },
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
  await deps.advisories.visitByPackages([...ofPackage.keys()], at.revision, (advisory) => {
    at.onAdvisory?.(advisory);
    for (const key of advisory.affects)
      for (const assessor of ofPackage.get(key) ?? []) assessor.consider(advisory);
  });
  return all.map((assessor) => assessor.end());
}

export function keyOf({ ecosystem, name }: PackageVersion): string {
  return packageKey(ecosystem, name);
}
