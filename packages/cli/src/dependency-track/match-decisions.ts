import { packageIdentity, parsePurl } from '@bomtrail/purl';
import type { MappedDecision } from './map-analysis';
import { analysisKey, type DtFinding } from './model';

/** The fields of a tracked vulnerability that are compared. */
export interface TrackedRow {
  id: string;
  cve_id: string;
  aliases: readonly string[];
  advisory_ids: readonly string[];
  purl: string | null;
  package_versions: readonly string[];
}

export interface DecidedRow {
  row: TrackedRow;
  decision: MappedDecision;
}

/** Why an analysis decides nothing here. */
export type Unmatched = 'not_found' | 'differs_by_version' | 'other_versions';

export interface MatchedDecisions {
  decided: DecidedRow[];
  /** By `analysisKey`. */
  unmatched: Map<string, Unmatched>;
}

/**
 * Finds the tracked vulnerabilities that analyses are about (docs/rules.md IM5): one of the same ids in the same package.
 * Analyses are of one package version, decisions of all versions in a service, so one is made only if the analyses of
 * every version at hand agree.
 *
 * @param findings all of the newest version, those without an analysis included
 * @param mapped decision by `analysisKey`
 */
export function matchDecisions(
  findings: readonly DtFinding[],
  mapped: ReadonlyMap<string, MappedDecision>,
  rows: readonly TrackedRow[],
): MatchedDecisions {
  const unmatched = new Map<string, Unmatched>([...mapped.keys()].map((key) => [key, 'not_found']));
  const byPackage = new Map<string, DtFinding[]>();
  for (const finding of findings) {
    const identity = identityOf(finding.component.purl ?? null);
    if (identity !== null) byPackage.set(identity, [...(byPackage.get(identity) ?? []), finding]);
  }
  const decided: DecidedRow[] = [];
  for (const row of rows) {
    const ids = new Set([row.cve_id, ...row.aliases, ...row.advisory_ids].map(folded));
    const about = (byPackage.get(identityOf(row.purl) ?? '') ?? []).filter((finding) =>
      idsOf(finding).some((id) => ids.has(id)),
    );
    const keys = about.map(analysisKey);
    const decisions = keys.map((key) => mapped.get(key));
    const [first] = decisions.filter((decision) => decision !== undefined);
    if (first === undefined) continue;
    const agree = decisions.every((decision) => isSame(decision, first));
    const versions = new Set(about.map(({ component }) => component.version));
    const covers = row.package_versions.every((version) => versions.has(version));
    for (const key of keys) {
      if (!mapped.has(key)) continue;
      if (agree && covers) unmatched.delete(key);
      else unmatched.set(key, agree ? 'other_versions' : 'differs_by_version');
    }
    if (agree && covers) decided.push({ row, decision: first });
  }
  return { decided, unmatched };
}

function isSame(one: MappedDecision | undefined, other: MappedDecision): boolean {
  return one?.decision === other.decision && one.justification === other.justification;
}

function identityOf(purl: string | null): string | null {
  const parsed = purl === null ? null : parsePurl(purl);
  return parsed === null ? null : packageIdentity(parsed);
}

function idsOf({ vulnerability }: DtFinding): string[] {
  const aliases = (vulnerability.aliases ?? []).flatMap((one) => Object.values(one));
  return [vulnerability.vulnId, ...aliases].filter((id) => typeof id === 'string').map(folded);
}

const folded = (id: string): string => id.toUpperCase();
