import { comparing } from '../ordering';
import { orderSemverWithBuild } from '../semver/order-with-build';
import { readSemver } from '../semver/read-semver';

/** Pub: Semantic Versioning, but build metadata is ordered (pub.dev, `pub_semver`, "Semantics"). */
export const comparePub = comparing(readSemver, orderSemverWithBuild);
