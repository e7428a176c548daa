import type { SbomVerdict } from '@bomtrail/api-client';

/**
 * Words of the coverage that speak of a component itself: no advisories could judge it. Any other word,
 * also one of a later release, speaks of advisories that are missing, too few or too old.
 */
const ofTheComponent = new Set([
  ...['no_purl', 'no_version', 'unknown_ecosystem'],
  ...['unreadable_version', 'release_unknown', 'source_unknown'],
  ...['module_unknown', 'unknown_action'],
]);

/**
 * Why a finding that is not listed may be there all the same, as sentences for people; null where the
 * list can be relied on. A verdict of `fail` names its findings alone, so that the coverage is asked as
 * well; `pass` is the service's word that the advisories are loaded and current.
 */
export function findingsDoubt(verdict: SbomVerdict): string | null {
  if (verdict.verdict === 'pass') return null;
  const reasons = verdict.reasons.filter(({ code }) => code !== 'findings');
  if (reasons.length > 0) return reasons.map(({ message }) => message).join(' ');
  if (verdict.verdict !== 'fail') return 'The service gives no reason.';
  if (!verdict.coverage) return 'How much was judged is not known.';
  const missing = Object.entries(verdict.coverage.undetermined)
    .filter(([word, count]) => count > 0 && !ofTheComponent.has(word))
    .map(([word, count]) => `${count} (${word})`);
  return missing.length > 0
    ? `Components without current advisories: ${missing.join(', ')}.`
    : null;
}
