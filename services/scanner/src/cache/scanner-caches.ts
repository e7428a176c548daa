import type { UndeterminedComponent } from '@bomtrail/messages';
import { LRUCache } from 'lru-cache';
import type { CachedResolution } from '../matching/resolve-components';
import type { Described } from '../queries/domain/describe-findings';
import type { PackageVersionDocument } from '../matching/store/package-version-store';
import type { EvaluatedSet } from '../matching/store/set-evaluations';
import type { PackageAdvisories } from '../matching/visit-advisories';
import { createStampedCache } from './stamped-cache';

/** A few hundred bytes each; component names may be very long. */
const cachedResolutions = 100_000;
const cachedResolutionText = 64 * 1024 * 1024;
/** Package versions with their matches, a few hundred bytes each; a Linux kernel has thousands. */
const cachedVersions = 100_000;
/** Characters of undetermined lists; fits one list of 300,000 components. */
const cachedUndeterminedText = 64 * 1024 * 1024;
const cachedDescriptionBytes = 64 * 1024 * 1024;
/** Characters of advisory text; parsed advisories take several times as much memory. */
const cachedAdvisoryText = 16 * 1024 * 1024;
const cachedMatchedComponents = 100_000;

/** Creates the in-memory caches of a scanner process, each with a size bound. */
export function createScannerCaches() {
  return {
    resolutions: new LRUCache<string, CachedResolution>({
      max: cachedResolutions,
      maxSize: cachedResolutionText,
      sizeCalculation: ({ of: { purl, version, name, source_package } }) =>
        `${purl}${version}${name}${source_package}`.length,
    }),
    versionCache: createStampedCache<PackageVersionDocument>({
      maxSize: cachedVersions,
      sizeOf: ({ matches, before }) => 1 + matches.length + (before?.matches.length ?? 0),
    }),
    advisoryCache: createStampedCache<PackageAdvisories>({
      maxSize: cachedAdvisoryText,
      // Constant overhead of an empty entry.
      sizeOf: ({ size }) => size + 100,
    }),
    setCache: createStampedCache<EvaluatedSet>({
      maxSize: cachedMatchedComponents,
      sizeOf: ({ matched }) => matched.length + 1,
    }),
    descriptionCache: createStampedCache<Described>({
      maxSize: cachedDescriptionBytes,
      sizeOf: ({ json }) => json.length,
    }),
    undeterminedCache: createStampedCache<UndeterminedComponent[]>({
      maxSize: cachedUndeterminedText,
      sizeOf: textSizeOf,
    }),
  };
}

/** Text length plus a constant overhead per component. */
function textSizeOf(list: readonly UndeterminedComponent[]): number {
  const ofOne = ({ name, version, purl }: UndeterminedComponent): number =>
    name.length + version.length + (purl?.length ?? 0) + 50;
  return list.reduce((sum, one) => sum + ofOne(one), 1);
}
