import type { SbomVerdict } from '@bomtrail/api-client';
import type { Findings } from '../output/document-report';
import { counted } from '../output/clean-text';
import { activeIgnore, type Ignore } from './ignore';

export interface IgnoreInput {
  entries: readonly Ignore[];
  now: Date;
  findings: () => Promise<Findings>;
  /**
   * Verdicts of the same document by gates that none of its findings fails: what they doubt, the gate doubts too.
   * Requested only if the file ignores everything that fails.
   */
  withoutFindings: () => Promise<SbomVerdict[]>;
}

export interface Ignoring {
  verdict: SbomVerdict;
  /** The entry of each ignored finding, by the id of its tracked vulnerability. */
  ignored: Map<string, Ignore>;
}

/**
 * Takes the findings that the project file ignores out of a verdict.
 *
 * - I1 A verdict changes only from `fail`, and only if every failing finding is ignored.
 * - I2 Then it is what the server says of the rest: `fail` (by licences or quality) or `undecided` if one of the gates without
 *   findings is, or changed advisories may have added findings, else `pass`.
 * - I3 Failing findings that the response leaves out (beyond 100) count as not ignored.
 */
export async function applyIgnores(verdict: SbomVerdict, input: IgnoreInput): Promise<Ignoring> {
  const active = input.entries.filter(({ expiresAt }) => expiresAt > input.now);
  const ignored = new Map<string, Ignore>();
  if (active.length === 0 || verdict.scan_status !== 'scanned') return { verdict, ignored };
  const { vulnerabilities } = await input.findings();
  const aliases = new Map(vulnerabilities.map((row) => [row.id, row.aliases ?? []]));
  for (const row of [...vulnerabilities, ...verdict.failing]) {
    const named = { ...row, aliases: row.aliases ?? aliases.get(row.id) ?? [] };
    const entry = activeIgnore(active, named, input.now);
    if (entry) ignored.set(row.id, entry);
  }
  const left = verdict.failing.filter(({ id }) => !ignored.has(id));
  const taken = verdict.failing.length - left.length;
  if (verdict.verdict !== 'fail' || taken === 0) return { verdict, ignored };
  const rest = { ...verdict, failing: left, failing_total: verdict.failing_total - taken };
  if (rest.failing_total > 0) {
    const message = `${counted(rest.failing_total, 'finding')} fail the gate; ${taken} more are ignored by the project file.`;
    const others = verdict.reasons.filter(({ code }) => code !== 'findings');
    return { verdict: { ...rest, reasons: [{ code: 'findings', message }, ...others] }, ignored };
  }
  return { verdict: restOf(rest, await input.withoutFindings()), ignored };
}

function restOf(rest: SbomVerdict, others: readonly SbomVerdict[]): SbomVerdict {
  // Licences and quality fail the gate whatever is ignored.
  const failed = new Map(
    others
      .flatMap((one) => one.reasons)
      .filter(({ code }) => code === 'licenses' || code === 'quality')
      .map((reason) => [reason.code, reason]),
  );
  if (failed.size > 0) return { ...rest, verdict: 'fail', reasons: [...failed.values()] };
  const doubted = others.filter(({ verdict }) => verdict === 'undecided');
  // The others are later: what the advisories added meanwhile is in none of them.
  const changing = rest.caveats.filter(({ code }) => code === 'advisories_changing');
  const reasons = new Map(
    [...doubted.flatMap((one) => one.reasons), ...changing].map((one) => [one.code, one]),
  );
  return {
    ...rest,
    verdict: doubted.length + changing.length > 0 ? 'undecided' : 'pass',
    reasons: [...reasons.values()],
  };
}
