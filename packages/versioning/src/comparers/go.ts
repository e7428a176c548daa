import { endOfLetters } from '../characters';
import { comparing, readNumeral } from '../ordering';
import { orderSemver } from '../semver/order-semver';
import { type SemverParts, readSemver } from '../semver/read-semver';

/**
 * Go: Semantic Versioning 2.0.0 as the Go Modules Reference ("Versions", "Pseudo-versions") uses it:
 * a pseudo-version is a prerelease, `+incompatible` is ignored. A release of the toolchain without
 * its `go` (`1.21rc2`) reads as `1.21.0-rc.2`, the form that the Go vulnerability database has.
 */
export const compareGo = comparing(parseGo, orderSemver);

function parseGo(text: string): SemverParts | null {
  const parts = readSemver(text);
  if (parts === null || !parts.attached) return parts;
  const [word] = parts.prerelease;
  if (typeof word !== 'string' || parts.prerelease.length !== 1) return null;
  const split = endOfLetters(word, 0);
  const digits = word.slice(split);
  if (!/^\d+$/.test(digits)) return null;
  return { ...parts, prerelease: [word.slice(0, split), readNumeral(digits)] };
}
