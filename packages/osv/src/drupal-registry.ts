import type { PackageVersion } from './package-key';
import { registriesFit, type RegistryFit } from './registry';

const DRUPAL_7 = 'packages.drupal.org/7';
const DRUPAL_8 = 'packages.drupal.org/8';

/** What packagist.org itself has under `drupal/`: the core and the templates of a site. */
const ON_PACKAGIST = /^drupal\/(?:core(?:-.+)?|drupal|.+-project)$/;

/** As drupal.org writes versions of modules: `7.x-1.5`, first the major version of the core. */
const CORE_MAJOR = /^(\d+)\.x-/;

/** Is this a module or theme of Drupal, other than its core? */
export function isDrupalModule({ ecosystem, name }: PackageVersion): boolean {
  return ecosystem === 'Packagist' && name.startsWith('drupal/') && !ON_PACKAGIST.test(name);
}

/**
 * Rule M45: modules of Drupal are on packages.drupal.org, which purls of lock files do not say: where no
 * registry is named, that one is meant, on either side. Which part of it, for Drupal 7 or for 8 and later,
 * the core's major tells where the version has it (`7.x-1.5`). A plain version is one for 8, which may be
 * one for 7, too: there an advisory for 7 is `unknown`.
 *
 * @param advisory the registry that the advisory names, null for none
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
