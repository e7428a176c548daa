import type { PackageVersion } from './package-key';
import { registriesFit, type RegistryFit } from './registry';

const DRUPAL_7 = 'packages.drupal.org/7';
const DRUPAL_8 = 'packages.drupal.org/8';

/** Packages of packagist.org itself under `drupal/`: the core and site templates. */
const ON_PACKAGIST = /^drupal\/(?:core(?:-.+)?|drupal|.+-project)$/;

/** Module versions of drupal.org: `7.x-1.5` starts with the major version of the core. */
const CORE_MAJOR = /^(\d+)\.x-/;

/** Whether this is a Drupal module or theme other than the core. */
export function isDrupalModule({ ecosystem, name }: PackageVersion): boolean {
  return ecosystem === 'Packagist' && name.startsWith('drupal/') && !ON_PACKAGIST.test(name);
}

/**
 * Rule M45: Drupal modules are on packages.drupal.org, which is assumed when no registry is named.
 * The major version of the core (`7.x-1.5`) decides between its parts for Drupal 7 and for 8 and
 * later. A version without it is one for 8 that may also be one for 7, where advisories are
 * `unknown`.
 *
 * @param advisory registry of the advisory, null for none
 */
export function drupalFit(advisory: string | null, component: PackageVersion): RegistryFit {
  const { suffix, version } = component;
  if (suffix !== null) {
    const isDrupal = suffix === DRUPAL_7 || suffix === DRUPAL_8;
    return advisory === null && isDrupal ? 'yes' : registriesFit(advisory, suffix);
  }
  const major = CORE_MAJOR.exec(version)?.[1];
  const meant = major === '7' ? DRUPAL_7 : DRUPAL_8;
  if (advisory === null || advisory === meant) return 'yes';
  if (advisory === DRUPAL_7 && major === undefined) return 'unknown';
  return registriesFit(advisory, meant);
}
