import { AppError } from '@bomtrail/messages';
import { packJson } from '@bomtrail/messaging';
import { versionIdsOf, type MatchedComponent } from '../matching/domain/component';
import { pagesOf } from '../domain/pages';
import type { EvaluatedSet } from '../matching/store/set-evaluations';
import { isSameState, type FeedState } from '../feeds/domain/feed-state';
import { describeComponents } from './describe-components';
import { knownRevision, maxRounds, readAt, type ReadSetDeps } from './set-at';
import { mayBeOf } from './read-findings-page';

/** The requested sets and packages; null: all packages. */
export interface FindingsQuery {
  digests: readonly string[];
  packages: readonly string[] | null;
}

export interface SetsFindingsResult {
  /** Number of sets in the result, from the first on; 0: the first one is too large. */
  answered: number;
  /** `SetsFindings`, as `packJson` packs it. */
  report: Uint8Array;
}

/** Sets whose matched components are in memory at once. */
const setsPerRead = 16;
/** The same for sets of known size: at most so many sets, with at most so many components together. */
const smallSetsPerRead = 128;
const componentsPerRead = 40_000;
/** Findings and text at which a result ends. */
const maxPositions = 50_000;
/** Findings of one set; readers hold all of them in memory. */
const maxPositionsOfSet = 20_000;
/** Several matches may be one finding; larger sets are not started. */
const maxMatchesOfSet = 2 * maxPositionsOfSet;
const maxText = 8 * 1024 * 1024;

/**
 * Returns the findings of component sets, each at one revision; repeated when the advisories change
 * meanwhile. A result that grows too large ends before the last set. Sets that were not evaluated
 * yet are left out.
 *
 * @throws AppError `service_unavailable` when the advisories keep changing
 */
export async function readFindingsOfSets(
  deps: ReadSetDeps,
  query: FindingsQuery,
): Promise<SetsFindingsResult> {
  const pages = await pagesToRead(deps, query.digests);
  let state = await deps.feed.latest();
  // The state that this process read last may be outdated: the first round is an additional one.
  for (let round = 0; round <= maxRounds; round += 1) {
    const shared = new SharedFindings(deps, state, query.packages);
    const sets: string[] = [];
    let answered = 0;
    for (const digests of pages) {
      const found = await Promise.all(
        digests.map((digest) => readMatched(deps, { digest, ...query, stamp: state.stamp })),
      );
      const positions = await shared.positionsIn(upToMany(found));
      const isLeft = (one: (typeof found)[number]): boolean =>
        one !== null && (one === 'many' || !positions.has(one));
      const end = found.findIndex(isLeft);
      for (const [set, findings] of positions) {
        const revision = knownRevision(set, readAt(set, state).revision, state);
        sets.push(JSON.stringify({ digest: set.digest, revision, findings }));
      }
      answered += end < 0 ? found.length : end;
      if (end >= 0 || shared.isLarge()) break;
    }
    const [now, report] = await Promise.all([deps.feed.read(), packJson(shared.report(sets))]);
    if (isSameState(now, state)) return { answered, report };
    state = now;
  }
  throw new AppError('service_unavailable', 'The advisories keep changing: repeat the request.');
}

/** Divides sets into those read at once. Of many sets the sizes are read first: a round trip for 16 is slow. */
async function pagesToRead(
  { sets }: Pick<ReadSetDeps, 'sets'>,
  digests: readonly string[],
): Promise<string[][]> {
  if (digests.length <= setsPerRead) return [[...digests]];
  const counts = await sets.readCountsOfSets(digests);
  const sizeOf = (digest: string): number =>
    counts.get(digest)?.components ?? componentsPerRead / setsPerRead;
  return pagesOf(digests, { items: smallSetsPerRead, size: componentsPerRead, sizeOf });
}

/** The findings of several sets, without duplicates. */
class SharedFindings {
  private readonly findings: string[] = [];
  private readonly details = new Map<string, string>();
  /** By component and revision. */
  private readonly positionsOf = new Map<string, number[]>();
  private readonly packages: ReadonlySet<string> | null;
  private positionCount = 0;
  private text = 0;

  constructor(
    private readonly deps: ReadSetDeps,
    private readonly state: FeedState,
    packages: readonly string[] | null,
  ) {
    this.packages = packages && new Set(packages);
  }

  /** Positions of the findings of each set, up to the first set that does not fit. */
  async positionsIn(sets: readonly EvaluatedSet[]): Promise<Map<EvaluatedSet, number[]>> {
    const fresh = new Map<number, Map<string, MatchedComponent>>();
    const keysOf = sets.map((set) => {
      const { revision } = readAt(set, this.state);
      const some = fresh.get(revision) ?? new Map<string, MatchedComponent>();
      fresh.set(revision, some);
      return set.matched.map((component) => {
        const key = keyOf(component, revision);
        if (!this.positionsOf.has(key)) some.set(key, component);
        return key;
      });
    });
    for (const [revision, matched] of fresh)
      if (!(await this.add([...matched.values()], revision))) break;
    const bySet = new Map<EvaluatedSet, number[]>();
    for (const [index, set] of sets.entries()) {
      const lists = (keysOf[index] ?? []).map((key) => this.positionsOf.get(key));
      if (lists.includes(undefined)) break;
      const positions = lists.flatMap((list) => list ?? []);
      if (positions.length > maxPositionsOfSet) break;
      this.positionCount += positions.length;
      bySet.set(set, positions);
    }
    return bySet;
  }

  /** Adds components in order; false when the size limit was reached before the last one. */
  private async add(matched: readonly MatchedComponent[], revision: number): Promise<boolean> {
    const at = { stamp: this.state.stamp, revision, packages: this.packages };
    let described = 0;
    for await (const { found, upTo } of describeComponents(this.deps, matched, at)) {
      for (const component of matched.slice(described, upTo))
        this.positionsOf.set(keyOf(component, revision), []);
      described = upTo;
      for (const { component, finding, description } of found) {
        const text = JSON.stringify(finding);
        this.positionsOf.get(keyOf(component, revision))?.push(this.findings.push(text) - 1);
        this.text += text.length;
        if (!this.details.has(description.key)) this.text += description.json.length;
        this.details.set(description.key, description.json);
      }
      if (this.isLarge() && upTo < matched.length) return false;
    }
    return true;
  }

  isLarge(): boolean {
    return this.positionCount > maxPositions || this.text > maxText;
  }

  report(sets: readonly string[]): string {
    const vulnerabilities = [...this.details].map(([key, json]) => `"${key}":${json}`);
    return `{"sets":[${sets.join()}],"findings":[${this.findings.join()}],"vulnerabilities":{${vulnerabilities.join()}}}`;
  }
}

/** The sets before the first one with too many matched components. */
function upToMany(found: readonly (EvaluatedSet | 'many' | null)[]): EvaluatedSet[] {
  const end = found.indexOf('many');
  const before = end < 0 ? found : found.slice(0, end);
  return before.flatMap((one) => (one === null || one === 'many' ? [] : one));
}

/** A set with the components that the query needs; `many`: too many for one result. */
async function readMatched(
  { sets, setCache }: Pick<ReadSetDeps, 'sets' | 'setCache'>,
  query: { digest: string; packages: readonly string[] | null; stamp: number },
): Promise<EvaluatedSet | 'many' | null> {
  const { digest, packages, stamp } = query;
  const evaluated = packages ? undefined : setCache.get(stamp, digest);
  const set =
    evaluated ??
    (packages
      ? await sets.readSome(digest, mayBeOf(new Set(packages)))
      : await sets.readSmall(digest));
  if (!set || set === 'many') return set;
  const matches = set.matched.reduce((sum, component) => sum + component.matches, 0);
  return matches > maxMatchesOfSet ? 'many' : set;
}

/** Key of components with equal findings. */
function keyOf(component: MatchedComponent, revision: number): string {
  const { purl, package_name, package_version, is_direct, is_root = false } = component;
  return `${revision} ${is_direct} ${is_root} ${versionIdsOf(component).join()}\n${purl}\n${package_name}\n${package_version}`;
}
