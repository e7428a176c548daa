import type { Distribution } from './distributions';

/**
 * Codenames → releases. Sources: Debian's and Ubuntu's distro-info data. Debian's `sid` and
 * `testing` have no number: see `releaseFit`.
 */
const DEBIAN_CODENAMES: ReadonlyMap<string, string> = new Map([
  ['lenny', '5'],
  ['squeeze', '6'],
  ['wheezy', '7'],
  ['jessie', '8'],
  ['stretch', '9'],
  ['buster', '10'],
  ['bullseye', '11'],
  ['bookworm', '12'],
  ['trixie', '13'],
  ['forky', '14'],
  ['duke', '15'],
]);

const UBUNTU_CODENAMES: ReadonlyMap<string, string> = new Map([
  ['lucid', '10.04'],
  ['precise', '12.04'],
  ['trusty', '14.04'],
  ['utopic', '14.10'],
  ['vivid', '15.04'],
  ['wily', '15.10'],
  ['xenial', '16.04'],
  ['yakkety', '16.10'],
  ['zesty', '17.04'],
  ['artful', '17.10'],
  ['bionic', '18.04'],
  ['cosmic', '18.10'],
  ['disco', '19.04'],
  ['eoan', '19.10'],
  ['focal', '20.04'],
  ['groovy', '20.10'],
  ['hirsute', '21.04'],
  ['impish', '21.10'],
  ['jammy', '22.04'],
  ['kinetic', '22.10'],
  ['lunar', '23.04'],
  ['mantic', '23.10'],
  ['noble', '24.04'],
  ['oracular', '24.10'],
  ['plucky', '25.04'],
  ['questing', '25.10'],
  ['resolute', '26.04'],
]);

/**
 * Rule M22: the release of a distribution that a component belongs to, normalised for `releaseFit`,
 * e.g. `12`, `22.04`, `v3.18`, `9.2`, `15.5`, `Leap 15.5`. Null when it is unknown, or when
 * `distro` and namespace name different distributions.
 *
 * @param distro see `distroText`
 * @param version of the component; openEuler's builds contain the service pack
 */
export function componentRelease(
  { ecosystem, words }: Distribution,
  distro: string | null,
  version: string,
): string | null {
  if (distro === null) return null;
  const release = readRelease(ecosystem, afterWord(distro, words));
  return ecosystem === 'openEuler' ? openEulerRelease(release, version) : release;
}

/** The text after the distribution's name; the whole text if it does not start with one. */
function afterWord(distro: string, words: readonly string[]): string {
  for (const word of words) {
    if (!distro.startsWith(word)) continue;
    const rest = distro.slice(word.length);
    if (rest === '') return '';
    if (/^[-_ :./]/.test(rest)) return withMicro(word, rest.slice(1).trim());
    if (/^\d/.test(rest)) return withMicro(word, rest);
  }
  return distro;
}

function withMicro(word: string, rest: string): string {
  return word.endsWith('micro') && !rest.startsWith('micro') ? `micro ${rest}` : rest;
}

/**
 * Normalises a release; null when it is unreadable.
 *
 * @param base an OSV ecosystem without suffix
 * @param text in lower case, without the distribution's name
 */
export function readRelease(base: string, text: string): string | null {
  switch (base) {
    case 'Debian':
      return major(text) ?? codename(text, DEBIAN_CODENAMES, DEBIAN_ROLLING);
    case 'Ubuntu':
      return /^v?(\d{1,2}\.\d{2})/.exec(text)?.[1] ?? codename(text, UBUNTU_CODENAMES, NONE);
    case 'Alpine':
      return alpineRelease(text);
    case 'Red Hat':
      return /^v?(\d+(?:\.\d+)?)/.exec(text)?.[1] ?? null;
    case 'Rocky Linux':
    case 'AlmaLinux':
    case 'Azure Linux':
      return major(text);
    case 'Mageia':
      return text.startsWith('cauldron') ? 'cauldron' : major(text);
    case 'Alpaquita':
    case 'BellSoft Hardened Containers':
      return text.startsWith('stream') ? 'stream' : major(text);
    case 'SUSE':
      return suseRelease(text);
    case 'openSUSE':
      return openSuseRelease(text);
    case 'Photon OS':
      return /^v?(\d+\.\d+)/.exec(text)?.[1] ?? null;
    case 'openEuler':
      return openEulerName(text);
    default:
      return null;
  }
}

const NONE: ReadonlySet<string> = new Set();
const DEBIAN_ROLLING: ReadonlySet<string> = new Set(['sid', 'unstable', 'testing', 'experimental']);

function major(text: string): string | null {
  return /^v?(\d+)/.exec(text)?.[1] ?? null;
}

/**
 * `esm-infra/trusty`, `trixie/sid`, `bookworm-slim`; `raspbian-bookworm` is not a Debian release.
 */
function codename(
  text: string,
  names: ReadonlyMap<string, string>,
  rolling: ReadonlySet<string>,
): string | null {
  const parts = text.split(/[/\s()]+/).map((part) => part.split('-', 1)[0] ?? '');
  const moving = parts.find((part) => rolling.has(part));
  if (moving !== undefined) return moving === 'unstable' ? 'sid' : moving;
  const named = parts.find((part) => names.has(part));
  return named === undefined ? null : (names.get(named) ?? null);
}

/** The edge branch is named `edge` or a snapshot of the next release. */
function alpineRelease(text: string): string | null {
  if (text.startsWith('edge') || text.includes('_alpha')) return 'edge';
  const branch = /^v?(\d+\.\d+)/.exec(text)?.[1];
  return branch === undefined ? null : `v${branch}`;
}

/** `15.5`, `15-sp5`, `15 sp5-ltss`; Micro products have releases of their own. */
function suseRelease(text: string): string | null {
  const isMicro = text.startsWith('micro');
  const found = /^(?:micro[-_ ]?)?v?(\d+)(?:(?:\.|[-_ ]?sp)(\d+))?(?![\d])/.exec(text);
  if (found === null) return null;
  const [, version = '', pack = '0'] = found;
  return isMicro ? `Micro ${version}.${pack}` : `${version}.${pack}`;
}

function openSuseRelease(text: string): string | null {
  if (text.includes('tumbleweed')) return 'Tumbleweed';
  const found = /^(?:leap[-_ ]?)?(micro[-_ ]?)?v?(\d+\.\d+)/.exec(text);
  if (found === null) return null;
  const [, micro, version = ''] = found;
  return micro === undefined ? `Leap ${version}` : `Leap Micro ${version}`;
}

function openEulerName(text: string): string | null {
  const found = /^(\d{2}\.\d{2})([-_ (]*lts)?(?:[-_ (]*sp(\d+))?/.exec(text);
  if (found === null) return null;
  const [, number = '', lts, pack] = found;
  if (pack !== undefined) return `${number}-LTS-SP${pack}`;
  return lts === undefined ? number : `${number}-LTS`;
}

/**
 * All service packs of an openEuler release have the same `VERSION_ID`, but their builds are
 * tagged: `1.1.1wa-7.oe2203sp4`. Several share `.oe1`.
 */
function openEulerRelease(release: string | null, version: string): string | null {
  if (release === null || release.length > '24.03'.length) return release;
  const tag = /\.oe(\d{2})(\d{2})(sp\d+)?(?![a-z0-9])/.exec(version);
  if (tag === null || `${tag[1]}.${tag[2]}` !== release) return release;
  return [release, 'LTS', tag[3]?.toUpperCase()].filter(Boolean).join('-');
}
