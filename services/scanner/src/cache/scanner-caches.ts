import type { UndeterminedComponent } from '@bomtrail/messages';
import { LRUCache } from 'lru-cache';
import type { Resolution } from '../domain/component-set';
import type { Described } from '../domain/describe-findings';
import type { PackageVersionDocument } from '../store/package-version-store';
import type { EvaluatedSet } from '../store/component-set-store';
import type { CachedReport } from '../use-cases/read-findings';
import type { PackageAdvisories } from '../use-cases/visit-advisories';
import { createStampedCache } from './stamped-cache';

/** Some hundred bytes each, but a document may name a component by a whole book. */
const cachedResolutions = 100_000;
const cachedResolutionText = 64 * 1024 * 1024;
/** Package versions and their matches, a few hundred bytes each: a kernel has thousands. */
const cachedVersions = 100_000;
/** Text of lists of what could not be judged: one of 300,000 components at least. */
const cachedUndeterminedText = 64 * 1024 * 1024;
const cachedDescriptionBytes = 64 * 1024 * 1024;
const cachedReportBytes = 64 * 1024 * 1024;
/** Text of advisories; some times as much once they are read. */
const cachedAdvisoryText = 16 * 1024 * 1024;
const cachedMatchedComponents = 100_000;

/** What a process of the scanner keeps in memory, each within a bound. */
export function createScannerCaches() {
  return {
    resolutions: new LRUCache<string, Resolution>({
      ...{ max: cachedResolutions, maxSize: cachedResolutionText },
      sizeCalculation: (_resolution, key) => key.length,
    }),
    versionCache: createStampedCache<PackageVersionDocument>({
      maxSize: cachedVersions,
      sizeOf: ({ matches, before }) => 1 + matches.length + (before?.matches.length ?? 0),
    }),
    advisoryCache: createStampedCache<PackageAdvisories>({
      maxSize: cachedAdvisoryText,
      // With what a package of which nothing is known costs.
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
    reportCache: createStampedCache<CachedReport>({
      maxSize: cachedReportBytes,
      sizeOf: ({ report }) => report.byteLength,
    }),
    bodyCache: createStampedCache<Uint8Array>({
      maxSize: cachedReportBytes,
      sizeOf: (report) => report.byteLength,
    }),
    undeterminedCache: createStampedCache<UndeterminedComponent[]>({
      maxSize: cachedUndeterminedText,
      sizeOf: textSizeOf,
    }),
  };
}

/** With what a component costs beside its text. */
function textSizeOf(list: readonly UndeterminedComponent[]): number {
  const ofOne = ({ name, version, purl }: UndeterminedComponent): number =>
    name.length + version.length + (purl?.length ?? 0) + 50;
  return list.reduce((sum, one) => sum + ofOne(one), 1);
}
