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

/** Reasons of a verdict that leave the list of findings complete. */
const besideTheList = new Set([
  ...['findings', 'licenses', 'no_license_policy', 'quality', 'quality_unknown'],
  ...['risk_feed_not_loaded', 'baseline_pending'],
]);

/**
 * Returns why the list of findings may be incomplete, as sentences; null if it is complete. `pass` implies current
 * advisories; for `fail` the coverage is checked as well.
 */
export function findingsDoubt(verdict: SbomVerdict): string | null {
  if (verdict.verdict === 'pass') return null;
  const reasons = [
    ...verdict.reasons.filter(({ code }) => !besideTheList.has(code)),
    ...verdict.caveats.filter(({ code }) => code === 'advisories_changing'),
  ];
  if (reasons.length > 0) return reasons.map(({ message }) => message).join(' ');
  if (verdict.verdict !== 'fail' && verdict.reasons.length === 0)
    return 'The service gives no reason.';
  // Licences and quality fail a gate before and without a scan.
  if (verdict.scan_status !== 'scanned') return 'The scan has no result.';
  if (!verdict.coverage) return 'The coverage is unknown.';
  if (verdict.coverage.evaluated === 0) return 'No component could be judged.';
  const missing = Object.entries(verdict.coverage.undetermined)
    .filter(([word, count]) => count > 0 && !ofTheComponent.has(word))
    .map(([word, count]) => `${count} (${word})`);
  return missing.length > 0
    ? `Components without current advisories: ${missing.join(', ')}.`
    : null;
}
