import { packageIdentity, parsePurl } from '@bomtrail/purl';
import type { OtherFinding } from './other-finding';

/** The fields of a tracked vulnerability that are compared. */
export interface OwnFinding {
  cve_id: string;
  aliases?: readonly string[] | undefined;
  advisory_ids?: readonly string[] | undefined;
  package_name: string;
  package_version: string;
  package_versions?: readonly string[] | undefined;
  purl: string | null;
  status: string;
}

export interface Component {
  name: string;
  version: string;
  purl: string | null;
}

/** A component that could not be evaluated, or not by some advisories. */
export interface Unevaluated extends Component {
  reason: string;
  advisory_ids?: readonly string[] | undefined;
}

/** An SBOM and what was found in it. */
export interface OwnResult {
  findings: readonly OwnFinding[];
  components: readonly Component[];
  unevaluated: readonly Unevaluated[];
}

/** What the loaded advisories say of an id; `not_asked`: too many ids. */
export type AdvisoryState = 'known' | 'unknown' | 'withdrawn' | 'not_asked';

/** Why a finding of the other tool is none here. */
export type MissingReason =
  | 'package_unknown'
  | 'version_differs'
  | 'not_evaluated'
  | 'version_range'
  | 'advisory_unknown'
  | 'withdrawn'
  | 'not_asked';

/** Why a finding here is none of the other tool. */
export type ExtraReason = 'suppressed_there' | 'not_reported' | 'package_not_reported';

export interface Difference<Reason> {
  id: string;
  name: string;
  version: string;
  reason: Reason;
  /** What is known of it, e.g. the versions of the package. */
  detail: string;
}

export interface Comparison {
  /** Found by both. `otherId`: under another id here. */
  both: { id: string; name: string; version: string; otherId: string | null }[];
  /** Found by both, and decided here. */
  decided: { id: string; name: string; version: string; status: string }[];
  missing: Difference<MissingReason>[];
  extra: Difference<ExtraReason>[];
}

/** Versions that a detail names. */
const maxVersions = 5;

/**
 * Compares findings (docs/rules.md CF1 to CF4).
 *
 * @param stateOf asked only for findings that nothing else explains
 */
export async function compareFindings(
  own: OwnResult,
  others: readonly OtherFinding[],
  stateOf: (ids: readonly string[]) => Promise<AdvisoryState>,
): Promise<Comparison> {
  const result: Comparison = { both: [], decided: [], missing: [], extra: [] };
  const ours = byPackage(own.findings, ({ purl, package_name: name }) => ({ purl, name }));
  const components = byPackage(own.components, (one) => one);
  const unevaluated = byPackage(own.unevaluated, (one) => one);
  const matched = new Set<OwnFinding>();
  for (const other of distinct(others)) {
    if (other.isSuppressed) continue;
    const here = ours(other).filter((finding) => sharesId(finding, other));
    const same = here.find((finding) => isVersion(versionsOf(finding), other));
    const { id, name, version } = other;
    if (same) {
      matched.add(same);
      if (same.status === 'open') {
        const otherId = folded(same.cve_id) === folded(id) ? null : same.cve_id;
        result.both.push({ id, name, version, otherId });
      } else result.decided.push({ id, name, version, status: same.status });
      continue;
    }
    const listed = components(other);
    const doubts = unevaluated(other).filter((one) => isVersion([one.version], other));
    const why = explained({ other, here, listed, doubts }) ?? (await asked(other, stateOf));
    result.missing.push({ id, name, version, ...why });
  }
  result.extra = extras(own.findings, matched, others);
  return result;
}

type Why = Pick<Difference<MissingReason>, 'reason' | 'detail'>;

/** CF2, without what the advisories know. */
function explained(of: {
  other: OtherFinding;
  here: readonly OwnFinding[];
  listed: readonly Component[];
  doubts: readonly Unevaluated[];
}): Why | null {
  const { other, here, listed, doubts } = of;
  if (listed.length === 0)
    return { reason: 'package_unknown', detail: 'the SBOM has no such package' };
  const versions = [...new Set(listed.map(({ version }) => version))];
  if (!isVersion(versions, other))
    return { reason: 'version_differs', detail: `the SBOM has ${some(versions)}` };
  const doubt = doubts.find(
    ({ advisory_ids: ids = [] }) =>
      ids.length === 0 || ids.some((id) => idsOf(other).has(folded(id))),
  );
  if (doubt) return { reason: 'not_evaluated', detail: doubt.reason };
  if (here.length > 0)
    return { reason: 'version_range', detail: `found in ${some(here.flatMap(versionsOf))} only` };
  return null;
}

async function asked(
  other: OtherFinding,
  stateOf: (ids: readonly string[]) => Promise<AdvisoryState>,
): Promise<Why> {
  const state = await stateOf([other.id, ...other.aliases]);
  switch (state) {
    case 'known':
      return { reason: 'version_range', detail: 'the advisories do not affect this version' };
    case 'withdrawn':
      return { reason: 'withdrawn', detail: 'its advisories were withdrawn' };
    case 'unknown':
      return { reason: 'advisory_unknown', detail: 'no loaded advisory has this id' };
    case 'not_asked':
      return { reason: 'not_asked', detail: 'too many findings to ask about each' };
  }
}

/** CF3. Decided findings are no differences: somebody looked at them. */
function extras(
  findings: readonly OwnFinding[],
  matched: ReadonlySet<OwnFinding>,
  others: readonly OtherFinding[],
): Difference<ExtraReason>[] {
  const theirs = byPackage(others, (one) => one);
  return findings.flatMap((finding) => {
    if (finding.status !== 'open' || matched.has(finding)) return [];
    const { cve_id: id, package_name: name, purl } = finding;
    const ofPackage = theirs({ name, purl });
    const suppressed = ofPackage.some((one) => one.isSuppressed && sharesId(finding, one));
    const reported = ofPackage.filter(({ isSuppressed }) => !isSuppressed);
    const version = some(versionsOf(finding));
    const why = suppressed
      ? { reason: 'suppressed_there' as const, detail: 'the other tool was told to ignore it' }
      : reported.length > 0
        ? {
            reason: 'not_reported' as const,
            detail: `the other tool reports ${some(reported.map((one) => one.id))} of the package`,
          }
        : {
            reason: 'package_not_reported' as const,
            detail: 'the other tool reports nothing of the package',
          };
    return [{ id, name, version, ...why }];
  });
}

/**
 * CF1: packages are the same if their purls are, whatever the version and the case; if one of them has no purl, if their
 * names are. Names with `:` and `/` between group and artifact are the same.
 */
function byPackage<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => { name: string; purl: string | null },
): (wanted: { name: string; purl: string | null }) => readonly Item[] {
  const byIdentity = new Map<string, Item[]>();
  const byName = new Map<string, { item: Item; hasPurl: boolean }[]>();
  for (const item of items) {
    const { name, purl } = nameOf(item);
    const identity = identityOf(purl);
    if (identity !== null) append(byIdentity, identity, item);
    append(byName, foldedName(name), { item, hasPurl: identity !== null });
  }
  return ({ name, purl }) => {
    const identity = identityOf(purl);
    const named = byName.get(foldedName(name)) ?? [];
    if (identity === null) return named.map(({ item }) => item);
    const withoutPurl = named.filter(({ hasPurl }) => !hasPurl).map(({ item }) => item);
    return [...(byIdentity.get(identity) ?? []), ...withoutPurl];
  };
}

function append<Value>(lists: Map<string, Value[]>, key: string, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

/** Tools repeat a finding for each place in which they see the package. */
function distinct(others: readonly OtherFinding[]): OtherFinding[] {
  const byKey = new Map<string, OtherFinding>();
  for (const other of others) {
    const { id, version, isSuppressed, name, purl } = other;
    const key = [folded(id), identityOf(purl) ?? foldedName(name), version, isSuppressed].join(
      '\n',
    );
    if (!byKey.has(key)) byKey.set(key, other);
  }
  return [...byKey.values()];
}

function sharesId(finding: OwnFinding, other: OtherFinding): boolean {
  const ids = idsOf(other);
  const { cve_id, aliases = [], advisory_ids = [] } = finding;
  return [cve_id, ...aliases, ...advisory_ids].some((id) => ids.has(folded(id)));
}

function idsOf({ id, aliases }: OtherFinding): Set<string> {
  return new Set([id, ...aliases].map(folded));
}

function versionsOf({ package_versions, package_version }: OwnFinding): readonly string[] {
  return package_versions ?? [package_version];
}

/** The version, or that of the purl; a tool that says none means any. Go's leading `v` may be missing. */
function isVersion(versions: readonly string[], { version, purl }: OtherFinding): boolean {
  const wanted = [version, (purl && parsePurl(purl)?.version) || ''].filter((one) => one !== '');
  if (wanted.length === 0) return true;
  const plain = wanted.map(withoutV);
  return versions.some((one) => plain.includes(withoutV(one)));
}

function withoutV(version: string): string {
  return version.replace(/^v(?=\d)/, '');
}

function some(values: readonly string[]): string {
  const unique = [...new Set(values)].map((value) => value || '(no version)');
  const rest = unique.length - maxVersions;
  return `${unique.slice(0, maxVersions).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** In lower case: many tools write the names of Go modules and npm packages so. */
function identityOf(purl: string | null): string | null {
  const parsed = purl === null ? null : parsePurl(purl);
  return parsed === null ? null : packageIdentity(parsed).toLowerCase();
}

function foldedName(name: string): string {
  return name.toLowerCase().replaceAll(':', '/');
}

const folded = (id: string): string => id.toUpperCase();
