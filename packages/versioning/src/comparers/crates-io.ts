import { comparing } from '../ordering';
import { orderSemver } from '../semver/order-semver';
import { readSemver } from '../semver/read-semver';

/**
 * crates.io: Semantic Versioning 2.0.0, item 11 (The Cargo Book, "The manifest format", `version`);
 * build metadata is ignored. RustSec's `0.0.0-0` is the lowest version there is.
 */
export const compareCratesIo = comparing(readSemver, orderSemver);
