import { comparing } from '../ordering';
import { orderSemver } from '../semver/order-semver';
import { readSemver } from '../semver/read-semver';

/**
 * Kubernetes: Semantic Versioning 2.0.0, item 11 (kubernetes.io, "Kubernetes Release Versioning":
 * `v1.30.0-alpha.1` < `-beta.0` < `-rc.0` < `v1.30.0`). The ecosystem counts Kubernetes releases, not
 * those of its Go modules (`k8s.io/apiserver` v0.30.0).
 */
export const compareKubernetes = comparing(readSemver, orderSemver);
