import { packageKey, type PackageVersion } from '@bomtrail/osv';
import { createAssessor, type Assessment, type Assessor } from './domain/assess-version';
import type { StoredAdvisory } from '../feeds/store/advisory-documents';

/** More matches than the caller accepts in memory. */
export class TooManyMatches extends Error {}

/**
 * Assesses package versions by the advisories of their packages; results are in the order of the
 * versions.
 *
 * @param visitAll visits each advisory of the packages once; advisories need not be in memory
 *   together
 * @param most bound of the matches of all versions
 * @throws TooManyMatches
 */
export async function assessByAdvisories(
  versions: readonly PackageVersion[],
  visitAll: (packages: string[], visit: (advisory: StoredAdvisory) => void) => Promise<void>,
  most = Number.POSITIVE_INFINITY,
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
  let matches = 0;
  await visitAll([...ofPackage.keys()], (advisory) => {
    for (const key of advisory.affects)
      for (const assessor of ofPackage.get(key) ?? [])
        if (assessor.consider(advisory)) matches += 1;
    if (matches > most) throw new TooManyMatches();
  });
  return all.map((assessor) => assessor.end());
}

export function keyOf({ ecosystem, name }: PackageVersion): string {
  return packageKey(ecosystem, name);
}
