import { comparing } from '../ordering';
import { orderSemver } from '../semver/order-semver';
import { type SemverParts, readSemver } from '../semver/read-semver';

/** Major, minor, patch, revision. */
const MAX_NUMBERS = 4;

/**
 * NuGet: learn.microsoft.com, "Package versioning" ("Version basics", "Normalized version numbers"):
 * up to four numbers, missing ones as 0; prerelease labels by Semantic Versioning 2.0.0 without
 * regard to case; build metadata is ignored.
 */
export const compareNuget = comparing(parseNuget, orderSemver);

function parseNuget(text: string): SemverParts | null {
  const parts = readSemver(text.toLowerCase());
  return parts === null || parts.attached || parts.numbers.length > MAX_NUMBERS ? null : parts;
}
