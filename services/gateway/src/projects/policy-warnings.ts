import { findUnknownRules } from '@bomtrail/sbom-formats';
import type { LicensePolicy } from '@bomtrail/messages';

/** Rules that are named; headers are short. */
const maxNamed = 5;
const maxCharacters = 60;

/**
 * Names for `Warning` the rules of a policy that are about no licence of the SPDX list (docs/rules.md LP6), those first
 * that look misspelt.
 */
export function policyWarnings(policy: LicensePolicy | null | undefined): string[] {
  const unknown = findUnknownRules(policy?.licenses ?? []).sort(
    (one, other) => Number(other.similar.length > 0) - Number(one.similar.length > 0),
  );
  const named = unknown.slice(0, maxNamed).map(({ license, similar }) => {
    const meant = similar.length === 0 ? '' : `; similar: ${similar.join(', ')}`;
    return `license '${logged(license)}' is no SPDX id: the rule applies only to components that state this text${meant}`;
  });
  const more = unknown.length - named.length;
  return more === 0 ? named : [...named, `${more} more rules are about no SPDX id`];
}

/** Percent-encoded, as a header allows no quotes, line ends or non-ASCII. */
function logged(license: string): string {
  const whole = license.replace(/\p{Surrogate}/gu, '\uFFFD');
  return encodeURIComponent([...whole].slice(0, maxCharacters).join(''));
}
