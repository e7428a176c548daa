import { readRelease } from './component-release';
import { drupalFit, isDrupalModule } from './drupal-registry';
import { isDistribution } from './ecosystems';
import type { PackageVersion } from './package-key';
import { registriesFit, type RegistryFit } from './registry';

/** Branches without advisories in OSV. */
const ROLLING: ReadonlySet<string> = new Set([
  'sid',
  'testing',
  'experimental',
  'edge',
  'cauldron',
]);

/**
 * Whether the suffix of an advisory's ecosystem fits that of a component. Registries: rules M14 and
 * M45. Releases of distributions:
 *
 * - M23: an advisory without a release applies to all. An advisory with a release is `unknown` for
 *   a component without one. Different releases do not fit.
 * - M24: Debian's `sid`, `testing` and `experimental`, Alpine's `edge` and Mageia's `cauldron` fit
 *   an advisory for the same branch; all others are `unknown`, because feeds hardly cover these
 *   branches.
 * - M25 to M28: Ubuntu, Red Hat, SUSE, openEuler; see below.
 *
 * @param advisory text after the first colon of the advisory's ecosystem, or null
 */
export function suffixFit(advisory: string | null, component: PackageVersion): RegistryFit {
  const { ecosystem, suffix } = component;
  if (!isDistribution(ecosystem)) {
    return isDrupalModule(component)
      ? drupalFit(advisory, component)
      : registriesFit(advisory, suffix);
  }
  if (advisory === null || advisory === suffix) return 'yes';
  if (suffix === null) return 'unknown';
  const text = advisory.toLowerCase();
  switch (ecosystem) {
    case 'Ubuntu':
      return ubuntuFit(text, suffix, component.version);
    case 'Red Hat':
      return redHatFit(text, suffix);
    case 'SUSE':
      return suseFit(text, suffix);
    case 'openEuler':
      return openEulerFit(readRelease(ecosystem, text), suffix);
    default:
      return sameRelease(readRelease(ecosystem, text), suffix);
  }
}

/** Whether this is a branch without advisories (M24). */
export function isRollingRelease(release: string): boolean {
  return ROLLING.has(release);
}

function sameRelease(advisory: string | null, component: string): RegistryFit {
  if (advisory === null) return 'unknown';
  if (advisory === component) return 'yes';
  return ROLLING.has(component) ? 'unknown' : 'no';
}

const UBUNTU_SUFFIX = /^(?:(.+):)?(\d+\.\d+)(?::lts)?$/;

/**
 * M25: `LTS` is not part of the release. `Pro` (ESM) continues the release's packages with rising
 * versions, so it fits the plain release: the flaw exists there, without a fix. FIPS builds have
 * higher versions than the ordinary ones, so their entries fit only versions that contain `fips`.
 */
function ubuntuFit(advisory: string, release: string, version: string): RegistryFit {
  const found = UBUNTU_SUFFIX.exec(advisory);
  if (found === null) return 'unknown';
  const [, stream = '', number] = found;
  if (number !== release) return 'no';
  if (!stream.includes('fips')) return 'yes';
  return version.toLowerCase().includes('fips') ? 'yes' : 'no';
}

/** Update streams of one minor release: 8.6 EUS, AUS, E4S, TUS; ELS of a major one. */
const MINOR_STREAM = /^rhel_(?:aus|e4s|els|eus|tus)/;

/**
 * M26: the suffix is a CPE without its head: product, version, update, edition. The main stream
 * (`enterprise_linux:9::baseos`) fits every minor release of its major release. An extended stream
 * (`rhel_eus:9.2::baseos`) fits its minor release; a component with the major release only is
 * `unknown`. Add-on products (`openshift:4.14::el9`) have their own repositories, which components
 * do not name: `unknown` within the same major release.
 */
function redHatFit(advisory: string, release: string): RegistryFit {
  const [product = '', version = '', , edition = ''] = advisory.split(':');
  const [major] = release.split('.');
  const isExtended = MINOR_STREAM.test(product);
  if (product !== 'enterprise_linux' && !isExtended) {
    const platform = /^el(\d+)/.exec(edition)?.[1];
    return platform === undefined || platform === major ? 'unknown' : 'no';
  }
  if (version.split('.')[0] !== major) return 'no';
  if (!isExtended || !version.includes('.') || version === release) return 'yes';
  return release.includes('.') ? 'no' : 'unknown';
}

/** `linux enterprise module for basesystem 15 sp5`, `linux enterprise server 12 sp5-ltss`. */
const SUSE_PRODUCT =
  /^(?:suse )?(?:linux enterprise |package hub )(?!micro)(?:.* )?(\d+(?:\.\d+| sp\d+)?)(?:[- ][a-z]+)*$/;
const SUSE_MICRO = /^(?:suse )?linux (?:enterprise )?micro (?:[^\d]* )?(\d+\.\d+)/;
/** The modules of 12 have no service packs: one repository serves all of them. */
const SUSE_MODULE_12 = /^(?:suse )?linux enterprise module for .* 12$/;

/**
 * M27: SUSE Linux Enterprise takes packages from the Server product and from modules and extensions
 * of the same release, so an advisory for any of them fits that release, including `-LTSS`; a
 * module of 12 fits every service pack of it. Micro has its own releases. Other products (Manager,
 * OpenStack …) are `unknown`.
 */
function suseFit(advisory: string, release: string): RegistryFit {
  if (SUSE_MODULE_12.test(advisory)) return release.startsWith('12.') ? 'yes' : 'no';
  const named = suseReleaseOf(advisory);
  if (named === null) return release.startsWith('Micro') ? 'no' : 'unknown';
  return named === release ? 'yes' : 'no';
}

/** The release in a suffix of SUSE (lower case), null for other products. */
export function suseReleaseOf(suffix: string): string | null {
  const micro = SUSE_MICRO.exec(suffix)?.[1];
  if (micro !== undefined) return `Micro ${micro}`;
  const named = SUSE_PRODUCT.exec(suffix)?.[1];
  return named === undefined ? null : readRelease('SUSE', named);
}

/**
 * M28: a release and all its service packs report the bare number, so an advisory for any of them
 * is `unknown`.
 */
function openEulerFit(advisory: string | null, release: string): RegistryFit {
  if (advisory === null) return 'unknown';
  const number = release.slice(0, '24.03'.length);
  if (!advisory.startsWith(number)) return 'no';
  if (release === number) return 'unknown';
  return servicePack(advisory) === servicePack(release) ? 'yes' : 'no';
}

function servicePack(release: string): string {
  return /SP\d+$/.exec(release)?.[0] ?? '';
}
