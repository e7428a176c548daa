import type { SbomVerdict } from '@bomtrail/api-client';
import { EXIT } from '../exit-codes';
import type { Outcome } from '../context';
import { cleanText, counted } from '../output/clean-text';
import { ageText } from '../settings/duration';
import type { Threshold } from '../settings/read-settings';

export type Conclusion = 'pass' | 'fail' | 'undecided' | 'scanned';

export interface Judgement extends Outcome {
  conclusion: Conclusion;
}

/** Severities, most severe first. */
export const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;

/**
 * Maps a verdict to summary line and exit code. With a threshold the verdict of the server counts; an unknown verdict
 * is `undecided`. Without one the result is `scanned`, or `undecided` if no component was evaluated.
 *
 * @param what display name of the SBOM, e.g. `web-shop/frontend 1.4.0`
 */
export function evaluateVerdict(
  verdict: SbomVerdict,
  what: string,
  failOn: Threshold | undefined,
): Judgement {
  const isGated =
    failOn !== undefined ||
    verdict.fail_on_kev ||
    verdict.max_epss !== null ||
    verdict.fail_on_license === true ||
    (verdict.min_quality ?? null) !== null;
  if (!isGated && verdict.verdict !== 'undecided') {
    return verdict.coverage && verdict.coverage.evaluated > 0
      ? judgementOf('scanned', `${what}: ${countsText(verdict)}; no threshold was given`, verdict)
      : judgementOf(
          'undecided',
          `${what}: ${countsText(verdict)}, but no component was evaluated`,
          verdict,
        );
  }
  if (verdict.verdict === 'pass') {
    return judgementOf(
      'pass',
      `${what}: no ${findingKind(verdict)}${licencesText(verdict)}${qualityText(verdict)}`,
      verdict,
    );
  }
  if (verdict.verdict === 'fail') {
    const number = verdict.failing_total;
    const kind = findingKind(verdict, number);
    const text = `${number} ${kind} (${countsText(verdict)})${licencesText(verdict)}${qualityText(verdict)}`;
    return judgementOf('fail', `${what}: ${text}`, verdict);
  }
  return judgementOf('undecided', `${what}: ${reasonsText(verdict)}`, verdict);
}

/** Adds how many findings the project file ignores. */
export function notingIgnored(judgement: Judgement, ignored: number): Judgement {
  if (ignored === 0) return judgement;
  return { ...judgement, line: `${judgement.line}; ${ignored} ignored by the project file` };
}

const exitCodes: Record<Conclusion, Outcome['exitCode']> = {
  pass: EXIT.pass,
  scanned: EXIT.pass,
  fail: EXIT.policy,
  undecided: EXIT.undecided,
};

function judgementOf(conclusion: Conclusion, text: string, verdict: SbomVerdict): Judgement {
  const basis = conclusion === 'undecided' ? '' : `; ${basisText(verdict)}`;
  const line = `${conclusion.toUpperCase()} ${text}${basis}`;
  return { conclusion, exitCode: exitCodes[conclusion], line: cleanText(line) };
}

function findingKind(verdict: SbomVerdict, count = 1): string {
  const age = verdict.only_new ? 'new ' : '';
  const rules = [
    ...(verdict.fail_on === 'none' ? [] : [`at or above ${verdict.fail_on}`]),
    ...(verdict.fail_on_kev ? ['known to be exploited'] : []),
    ...(verdict.max_epss === null ? [] : [`with an EPSS score above ${verdict.max_epss}`]),
  ];
  return `${age}${count === 1 ? 'finding' : 'findings'} ${rules.join(' or ')}`.trimEnd();
}

/** What a gate with `--fail-on-license` says of licences. */
function licencesText({ licenses }: SbomVerdict): string {
  if (!licenses) return '';
  const { denied, unknown, warned } = licenses;
  const others = [
    ...(unknown > 0 ? [`${unknown} unknown`] : []),
    ...(warned > 0 ? [`${warned} with a warning`] : []),
  ];
  const rest = others.length > 0 ? ` (${others.join(', ')})` : '';
  return `; ${denied === 0 ? 'no' : denied} denied ${denied === 1 ? 'licence' : 'licences'}${rest}`;
}

/** What a gate with `--min-quality` says of the document. */
function qualityText({ quality, min_quality: min }: SbomVerdict): string {
  if (!quality || !min) return '';
  const below = quality.score < min ? 'below' : 'at least';
  return `; quality ${quality.score} of 100, ${below} ${min}`;
}

/** Formats the findings by severity, e.g. `1 critical, 2 medium; 1 new`. */
export function countsText({ counts, new_counts }: SbomVerdict): string {
  if (!counts) return 'findings are unknown';
  const present = severities.filter((severity) => counts[severity] > 0);
  if (present.length === 0) return 'no findings';
  const text = present.map((severity) => `${counts[severity]} ${severity}`).join(', ');
  const fresh = new_counts ? severities.reduce((sum, one) => sum + new_counts[one], 0) : null;
  return fresh === null ? text : `${text}; ${fresh} new`;
}

/** Formats coverage and advisory data behind a verdict. */
export function basisText(verdict: SbomVerdict): string {
  const { coverage, oldest_feed_age_seconds: age, advisory_data: data } = verdict;
  const judged = coverage
    ? `${coverage.evaluated} of ${counted(coverage.components, 'component')} evaluated`
    : 'nothing evaluated';
  const source = {
    feed: 'advisory feeds',
    starter: 'the starter set of advisories',
    none: 'no advisories',
  }[data];
  const old = data === 'feed' && age !== null ? ` at most ${ageText(age)} old` : '';
  return `${judged} with ${source}${old}`;
}

/** Formats the reasons of an undecided verdict. */
export function reasonsText({ reasons }: SbomVerdict): string {
  return reasons.length > 0
    ? reasons.map(({ message }) => message).join(' ')
    : 'the service gives no reason';
}
