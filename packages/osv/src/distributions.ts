import type { PackageUrl } from '@bomtrail/purl';

/** A Linux distribution with advisories in OSV. */
export interface Distribution {
  /** OSV's ecosystem without suffix. */
  ecosystem: string;
  /**
   * Lower-case names that precede the release in a purl's `distro`: `ID` and `NAME` of
   * /etc/os-release, and spellings of scanners. Longer ones first.
   */
  words: readonly string[];
}

const DEBIAN = { ecosystem: 'Debian', words: ['debian gnu/linux', 'debian'] };
const UBUNTU = { ecosystem: 'Ubuntu', words: ['ubuntu'] };
const ECHO = { ecosystem: 'Echo', words: ['echo'] };
const ALPINE = { ecosystem: 'Alpine', words: ['alpine linux', 'alpine'] };
const WOLFI = { ecosystem: 'Wolfi', words: ['wolfi'] };
const CHAINGUARD = { ecosystem: 'Chainguard', words: ['chainguard'] };
const MINIMOS = { ecosystem: 'MinimOS', words: ['minimos'] };
const CLEANSTART = { ecosystem: 'CleanStart', words: ['cleanstart'] };
const ALPAQUITA = { ecosystem: 'Alpaquita', words: ['alpaquita linux', 'alpaquita'] };
const BELLSOFT = {
  ecosystem: 'BellSoft Hardened Containers',
  words: ['bellsoft hardened containers', 'bellsoft-hardened-containers', 'bellsoft'],
};
const RED_HAT = {
  ecosystem: 'Red Hat',
  words: ['red hat enterprise linux', 'enterprise_linux', 'redhat', 'rhel'],
};
const ROCKY = {
  ecosystem: 'Rocky Linux',
  words: ['rocky linux', 'rocky-linux', 'rockylinux', 'rocky'],
};
const ALMA = { ecosystem: 'AlmaLinux', words: ['almalinux', 'alma'] };
const SUSE = {
  ecosystem: 'SUSE',
  words: [
    'suse linux enterprise server for sap applications',
    'suse linux enterprise desktop',
    'suse linux enterprise server',
    'suse linux enterprise micro',
    'suse linux enterprise',
    'suse linux micro',
    'sle-micro',
    'sles_sap',
    'sl-micro',
    'sle_hpc',
    'sled',
    'sles',
    'suse',
    'sle',
  ],
};
const OPENSUSE = {
  ecosystem: 'openSUSE',
  words: [
    'opensuse leap micro',
    'opensuse-leap-micro',
    'opensuse.leap',
    'opensuse-leap',
    'opensuse leap',
    'opensuse',
  ],
};
const OPENEULER = { ecosystem: 'openEuler', words: ['openeuler'] };
const AZURE = {
  ecosystem: 'Azure Linux',
  words: [
    'microsoft azure linux',
    'azure linux',
    'azure-linux',
    'azurelinux',
    'cbl-mariner',
    'mariner',
  ],
};
const MAGEIA = { ecosystem: 'Mageia', words: ['mageia'] };
const PHOTON = { ecosystem: 'Photon OS', words: ['vmware photon os', 'photon os', 'photon'] };

/** By purl type and namespace. Source: purl types deb, apk, rpm; os-release `ID`s. */
const BY_NAMESPACE: Readonly<Record<string, ReadonlyMap<string, Distribution>>> = {
  deb: new Map<string, Distribution>([
    ['debian', DEBIAN],
    ['ubuntu', UBUNTU],
    ['echo', ECHO],
  ]),
  apk: new Map<string, Distribution>([
    ['alpine', ALPINE],
    ['wolfi', WOLFI],
    ['chainguard', CHAINGUARD],
    ['minimos', MINIMOS],
    ['cleanstart', CLEANSTART],
    ['alpaquita', ALPAQUITA],
    ['bellsoft-hardened-containers', BELLSOFT],
  ]),
  rpm: new Map<string, Distribution>([
    ['redhat', RED_HAT],
    ['rhel', RED_HAT],
    ['rocky', ROCKY],
    ['rocky-linux', ROCKY],
    ['rockylinux', ROCKY],
    ['almalinux', ALMA],
    ['alma', ALMA],
    ['suse', SUSE],
    ['sles', SUSE],
    ['sled', SUSE],
    ['sle', SUSE],
    ['sles_sap', SUSE],
    ['sle_hpc', SUSE],
    ['sle-micro', SUSE],
    ['sl-micro', SUSE],
    ['opensuse', OPENSUSE],
    ['opensuse-leap', OPENSUSE],
    ['opensuse.leap', OPENSUSE],
    ['opensuse-leap-micro', OPENSUSE],
    ['opensuse-tumbleweed', OPENSUSE],
    ['opensuse.tumbleweed', OPENSUSE],
    ['openeuler', OPENEULER],
    ['azurelinux', AZURE],
    ['azure-linux', AZURE],
    ['mariner', AZURE],
    ['cbl-mariner', AZURE],
    ['mageia', MAGEIA],
    ['photon', PHOTON],
  ]),
};

/** Whether the namespace of a purl is a distribution, with or without advisories in OSV. */
export function namesDistribution(type: string): boolean {
  return type === 'alpine' || BY_NAMESPACE[type] !== undefined;
}

/**
 * Rule M21: the distribution of a component of type deb, apk or rpm, by its namespace or, without
 * one, by the start of its `distro`. Null for all others (Raspbian, CentOS, Fedora, Oracle, Amazon
 * …): their packages differ, so advisories of other distributions do not apply. Old documents write
 * `pkg:alpine/…` for `pkg:apk/alpine/…`; `suse` means openSUSE if `distro` says so.
 *
 * @param distro see `distroText`
 */
export function distributionOf(purl: PackageUrl, distro: string | null): Distribution | null {
  if (purl.type === 'alpine') return ALPINE;
  const known = BY_NAMESPACE[purl.type];
  if (known === undefined) return null;
  const namespace = purl.namespace?.toLowerCase() ?? null;
  if (namespace === null || namespace === 'suse') {
    const word = distro === null ? null : firstWord(distro);
    const named = word === null ? undefined : known.get(word);
    if (named !== undefined) return named;
  }
  return namespace === null ? null : (known.get(namespace) ?? null);
}

/** `opensuse-leap-15.5` → `opensuse-leap`. */
function firstWord(distro: string): string {
  const end = distro.search(/[-_ ]v?\d/);
  return (end < 0 ? distro : distro.slice(0, end)).trim();
}

/**
 * The distribution and release of a purl in lower case, or null: `distro`, or the equivalent
 * qualifiers of other tools.
 */
export function distroText({ qualifiers }: PackageUrl): string | null {
  const { distro, distro_name: name, distro_version: version } = qualifiers;
  const { os_name: osName, os_version: osVersion } = qualifiers;
  const text =
    distro ?? (joined(name, version) || joined(osName, osVersion) || qualifiers.os_distro);
  return text?.trim().toLowerCase() || null;
}

function joined(name: string | undefined, version: string | undefined): string {
  return [name, version].filter((part) => part !== undefined).join('-');
}
