import { comparing } from '../ordering';
import { orderSemver } from '../semver/order-semver';
import { readSemver } from '../semver/read-semver';

/**
 * VSCode: extensions of Visual Studio Code, Semantic Versioning 2.0.0, item 11
 * (code.visualstudio.com, "Extension Manifest", `version`: "SemVer compatible").
 */
export const compareVscode = comparing(readSemver, orderSemver);
