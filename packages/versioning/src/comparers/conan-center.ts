import { type Ordering, comparing, order } from '../ordering';
import { orderNumbers, orderPrereleases } from '../semver/order-semver';
import { type SemverParts, readSemver } from '../semver/read-semver';

/**
 * ConanCenter: docs.conan.io, "Version ranges" and the Conan 2 version class: any number of numbers,
 * prerelease after a hyphen. One letter at the end (`1.1.1k`) follows the version without it;
 * longer words without a hyphen, and dates such as `cci.20230101`, are unreadable.
 */
export const compareConanCenter = comparing(parseConan, orderConan);

interface ConanVersion {
  numbers: SemverParts['numbers'];
  letter: string;
  prerelease: SemverParts['prerelease'];
}

function parseConan(text: string): ConanVersion | null {
  const parts = readSemver(text);
  if (parts === null) return null;
  const { numbers, prerelease, attached } = parts;
  if (!attached) return { numbers, letter: '', prerelease };
  const [letter] = prerelease;
  const single = prerelease.length === 1 && typeof letter === 'string' && letter.length === 1;
  return single ? { numbers, letter, prerelease: [] } : null;
}

function orderConan(a: ConanVersion, b: ConanVersion): Ordering {
  return (
    orderNumbers(a.numbers, b.numbers) ||
    order(a.letter, b.letter) ||
    orderPrereleases(a.prerelease, b.prerelease)
  );
}
