import { comparing } from '../ordering';
import { orderSemverWithBuild } from '../semver/order-with-build';
import { readSemver } from '../semver/read-semver';

/**
 * Julia: `VersionNumber` (docs.julialang.org, "Version Number Literals"): Semantic Versioning, with
 * build numbers in order (binary packages differ in them alone: `3.0.8+1`).
 */
export const compareJulia = comparing(readSemver, orderSemverWithBuild);
