import { comparing } from '../ordering';
import { orderSemver } from '../semver/order-semver';
import { readSemver } from '../semver/read-semver';

/** Hex: Semantic Versioning 2.0.0, item 11 (hexdocs.pm/elixir, `Version`); build metadata is ignored. */
export const compareHex = comparing(readSemver, orderSemver);
