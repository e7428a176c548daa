import type { SbomVerdict } from '@bomtrail/api-client';

/**
 * Coverage reasons caused by the component itself. All others, including unknown ones of later releases, mean missing
 * or outdated advisories.
 */
const ofTheComponent = new Set([
  ...['no_purl', 'no_version', 'unknown_ecosystem'],
  ...['unreadable_version', 'release_unknown', 'source_unknown'],
  ...['module_unknown', 'unknown_action'],
]);

/**
 * Returns why the list of findings may be incomplete, as sentences; null if it is complete. `pass` implies current
 * advisories; for `fail` the coverage is checked as well.
 */
export function findingsDoubt(verdict: SbomVerdict): string | null {
  if (verdict.verdict === 'pass') return null;
  const reasons = verdict.reasons.filter(({ code }) => code !== 'findings');
  if (reasons.length > 0) return reasons.map(({ message }) => message).join(' ');
  if (verdict.verdict !== 'fail') return 'The service gives no reason.';
  if (!verdict.coverage) return 'The coverage is unknown.';
  const missing = Object.entries(verdict.coverage.undetermined)
    .filter(([word, count]) => count > 0 && !ofTheComponent.has(word))
    .map(([word, count]) => `${count} (${word})`);
  return missing.length > 0
    ? `Components without current advisories: ${missing.join(', ')}.`
    : null;
}
