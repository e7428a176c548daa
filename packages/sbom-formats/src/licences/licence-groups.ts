import type { LicenceExpression, SimpleLicence } from './parse-expression';

/**
 * What a licence asks of who distributes software with it, least first. `unknown` is no group: neither
 * allowed nor denied by what is known.
 */
export const LICENCE_GROUPS = [
  'public_domain',
  'permissive',
  'weak_copyleft',
  'strong_copyleft',
  'network_copyleft',
  'source_available',
  'non_commercial',
] as const;

export type LicenceGroup = (typeof LICENCE_GROUPS)[number] | 'unknown';

/**
 * Ids by group, by the texts of the licences: `weak_copyleft` asks for the source of the licensed files or
 * library, `strong_copyleft` of the whole work, `network_copyleft` also of who offers it over a network;
 * `source_available` limits the use. An id that is in no list is `unknown`. Versions are written once:
 * `GPL` stands for every id that continues with a version.
 */
const FAMILIES: Record<Exclude<LicenceGroup, 'unknown'>, readonly string[]> = {
  public_domain: ['0BSD', 'CC0', 'CC-PDDC', 'PDDL', 'Unlicense', 'SAX-PD', 'blessing', 'MIT-0'],
  permissive: [
    'AFL',
    'Apache',
    'Artistic-2.0',
    'BlueOak',
    'BSD-1-Clause',
    'BSD-2-Clause',
    'BSD-3-Clause',
    'BSD-4-Clause',
    'BSL',
    'bzip2',
    'CC-BY',
    'CDLA-Permissive',
    'CNRI-Python',
    'curl',
    'ECL',
    'FTL',
    'HPND',
    'ICU',
    'IJG',
    'ImageMagick',
    'ISC',
    'libpng',
    'Libpng',
    'libtiff',
    'MIT',
    'MIT-CMU',
    'MIT-Modern-Variant',
    'MS-PL',
    'MulanPSL',
    'NCSA',
    'NTP',
    'OFL',
    'OpenSSL',
    'PHP',
    'PostgreSQL',
    'PSF',
    'Python',
    'Ruby',
    'TCL',
    'Unicode',
    'Unicode-DFS',
    'UPL',
    'Vim',
    'W3C',
    'WTFPL',
    'X11',
    'Zend',
    'Zlib',
    'zlib-acknowledgement',
    'ZPL',
  ],
  weak_copyleft: [
    'APSL-1.0',
    'APSL-1.1',
    'APSL-1.2',
    'Artistic-1.0',
    'Artistic-1.0-cl8',
    'Artistic-1.0-Perl',
    'CDDL',
    'CECILL-C',
    'CPL',
    'EPL',
    'ErlPL',
    'IPL',
    'LGPL',
    'LPPL',
    'MPL',
    'MS-RL',
    'NPL',
    'SISSL',
    'SPL',
  ],
  strong_copyleft: [
    'CC-BY-SA',
    'CECILL-1.0',
    'CECILL-1.1',
    'CECILL-2.0',
    'CECILL-2.1',
    'copyleft-next',
    'GFDL',
    'GPL',
    'ODbL',
    'QPL',
    'Sleepycat',
  ],
  network_copyleft: ['AGPL', 'APSL-2.0', 'CPAL', 'EUPL', 'NPOSL', 'OSL', 'RPL', 'Watcom'],
  source_available: [
    'BSD-3-Clause-No-Military-License',
    'BSD-3-Clause-No-Nuclear-License',
    'BSD-3-Clause-No-Nuclear-License-2014',
    'BUSL',
    'Elastic',
    'FSL-1.1-ALv2',
    'FSL-1.1-MIT',
    'PolyForm-Small-Business',
    'SSPL',
  ],
  non_commercial: ['Aladdin', 'CC-BY-NC', 'CC-BY-NC-ND', 'CC-BY-NC-SA', 'PolyForm-Noncommercial'],
};

/** Exceptions by which a work that links or contains the licensed code is not asked for its source. */
const LINKING_EXCEPTIONS: ReadonlySet<string> = new Set([
  'Autoconf-exception-2.0',
  'Autoconf-exception-3.0',
  'Bison-exception-1.24',
  'Bison-exception-2.2',
  'Classpath-exception-2.0',
  'Classpath-exception-2.0-short',
  'eCos-exception-2.0',
  'Font-exception-2.0',
  'freertos-exception-2.0',
  'GCC-exception-2.0',
  'GCC-exception-2.0-note',
  'GCC-exception-3.1',
  'GNAT-exception',
  'GPL-3.0-linking-exception',
  'Libtool-exception',
  'OpenJDK-assembly-exception-1.0',
]);

const BY_FAMILY = new Map(
  LICENCE_GROUPS.flatMap((group) => FAMILIES[group].map((family) => [family, group] as const)),
);

/**
 * docs/rules.md LI3, LI4. The group of an expression. Of licences that all apply the one that asks for most counts, of those to choose
 * from the one that asks for least. One unknown licence makes it unknown, unless another one may be chosen.
 */
export function licenceGroup(expression: LicenceExpression): LicenceGroup {
  if (!('operator' in expression)) return groupOfLicence(expression);
  const groups = expression.operands.map(licenceGroup);
  if (expression.operator === 'AND' && groups.includes('unknown')) return 'unknown';
  const known = LICENCE_GROUPS.filter((group) => groups.includes(group));
  return (expression.operator === 'AND' ? known.at(-1) : known[0]) ?? 'unknown';
}

function groupOfLicence({ id, exception }: SimpleLicence): LicenceGroup {
  const group = BY_FAMILY.get(id) ?? BY_FAMILY.get(familyOf(id)) ?? 'unknown';
  const isLinking = exception !== null && LINKING_EXCEPTIONS.has(exception);
  return group === 'strong_copyleft' && isLinking ? 'weak_copyleft' : group;
}

/** `GPL` of `GPL-2.0-only`, `CC-BY-SA` of `CC-BY-SA-3.0-AT`, `BSD-3-Clause` of `BSD-3-Clause-Clear`. */
function familyOf(id: string): string {
  const clause = /^BSD-\d-Clause/.exec(id)?.[0];
  return clause ?? id.replace(/-v?\d.*$/, '');
}
