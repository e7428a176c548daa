import { comparing } from '../ordering';
import { orderSemver } from '../semver/order-semver';
import { type SemverParts, readSemver } from '../semver/read-semver';

const FULL = 3;

/**
 * GitHub Actions: tags by Semantic Versioning 2.0.0 (docs.github.com, "Releasing and maintaining
 * actions"). `v4` and `v4.1` are tags that move with each release: unreadable, as are branches and
 * commit ids. Without the `v` short forms are read: advisories write them (`41`).
 */
export const compareGithubActions = comparing(parseTag, orderSemver);

function parseTag(text: string): SemverParts | null {
  const parts = readSemver(text);
  const moving = /^v/i.test(text) && parts !== null && parts.numbers.length < FULL;
  return moving ? null : parts;
}
