import { comparing } from '../ordering';
import { orderSemver } from '../semver/order-semver';
import { readSemver } from '../semver/read-semver';

/** SwiftURL: Semantic Versioning 2.0.0, item 11 (docs.swift.org, PackageDescription, `Version`). */
export const compareSwiftUrl = comparing(readSemver, orderSemver);
