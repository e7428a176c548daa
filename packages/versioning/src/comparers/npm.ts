import { comparing } from '../ordering';
import { orderSemver } from '../semver/order-semver';
import { readSemver } from '../semver/read-semver';

/**
 * npm: Semantic Versioning 2.0.0 (semver.org, item 11; docs.npmjs.com/cli, "semver"). Reads the loose
 * forms of `readSemver`; ranges, dist-tags, URLs and `file:` references are unreadable.
 */
export const compareNpm = comparing(readSemver, orderSemver);
