import type { paths } from '@bomtrail/api-contract';

type Query = NonNullable<paths['/api/v1/vulnerabilities']['get']['parameters']['query']>;
export type Ecosystem = NonNullable<Query['ecosystem']>;

/** The common ones first. As a record, so that an ecosystem that the contract gains is missed by the compiler. */
const listed: Record<Ecosystem, true> = {
  npm: true,
  PyPI: true,
  Go: true,
  'crates.io': true,
  Maven: true,
  RubyGems: true,
  NuGet: true,
  Packagist: true,
  Debian: true,
  Ubuntu: true,
  Alpine: true,
  'Red Hat': true,
  'Rocky Linux': true,
  AlmaLinux: true,
  Wolfi: true,
  Chainguard: true,
  SUSE: true,
  openSUSE: true,
  Hex: true,
  Pub: true,
  SwiftURL: true,
  ConanCenter: true,
  CRAN: true,
  Hackage: true,
  Bitnami: true,
  Julia: true,
  opam: true,
  Bioconductor: true,
  VSCode: true,
  'GitHub Actions': true,
  Echo: true,
  MinimOS: true,
  CleanStart: true,
  Alpaquita: true,
  'BellSoft Hardened Containers': true,
  openEuler: true,
  'Azure Linux': true,
  Mageia: true,
  'Photon OS': true,
};

/** The ecosystems that the API filters by, in the order in which the page offers them. */
export const ecosystems = Object.keys(listed) as Ecosystem[];
