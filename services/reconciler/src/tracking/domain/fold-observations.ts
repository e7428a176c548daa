import { allVersions, byVersion } from './snapshot';
import type { Observation } from './types';

/**
 * Folds observations that arrive in pages: versions of a package with the same details become one
 * observation, that of the lowest version, listing all of them. Memory grows with the number of
 * vulnerabilities, not of affected versions.
 */
export function createObservationFold() {
  const folded = new Map<string, { lowest: Observation; versions: Set<string> }>();
  return {
    add(observations: readonly Observation[]): void {
      for (const one of observations) {
        const key = `${one.package_key}\n${one.details}`;
        const known = folded.get(key);
        if (!known) {
          folded.set(key, { lowest: one, versions: new Set(allVersions(one)) });
          continue;
        }
        for (const version of allVersions(one)) known.versions.add(version);
        const lowest = byVersion(one, known.lowest) < 0 ? one : known.lowest;
        const is_direct = one.is_direct || known.lowest.is_direct;
        const is_root = one.is_root ?? known.lowest.is_root;
        const isSame = lowest.is_direct === is_direct && lowest.is_root === is_root;
        known.lowest = isSame ? lowest : { ...lowest, is_direct, ...(is_root && { is_root }) };
      }
    },

    end(): Observation[] {
      return [...folded.values()].map(({ lowest, versions }) =>
        versions.size > 1 ? { ...lowest, package_versions: [...versions] } : lowest,
      );
    },
  };
}
