import { licenceGroup, type LicenceGroup } from './licence-groups';
import { licenceText, parseLicence } from './parse-expression';

/** What the licence of a dependency means by the SPDX licence list. */
export interface LicenceFacts {
  /** The normalised expression; null for a text that is none, or that has an unknown id. */
  license_expression: string | null;
  /** docs/rules.md LI2: if the expression is one licence without an exception. */
  license_id: string | null;
  license_group: LicenceGroup;
}

/** Different texts that are kept; a document has a few hundred. */
const MAX_KNOWN = 10_000;

/** Describes licences; each text is parsed once. */
export function createLicenceReader(): (license: string) => LicenceFacts {
  const known = new Map<string, LicenceFacts>();
  return (license) => {
    const before = known.get(license);
    if (before !== undefined) return before;
    const facts = describeLicence(license);
    if (known.size < MAX_KNOWN) known.set(license, facts);
    return facts;
  };
}

export function describeLicence(license: string): LicenceFacts {
  const expression = parseLicence(license);
  if (expression === null)
    return { license_expression: null, license_id: null, license_group: 'unknown' };
  const isOne = !('operator' in expression) && expression.exception === null;
  return {
    license_expression: licenceText(expression),
    license_id: isOne ? expression.id : null,
    license_group: licenceGroup(expression),
  };
}
