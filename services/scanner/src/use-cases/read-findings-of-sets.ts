import { AppError } from '@bomtrail/messages';
import { packJson } from '@bomtrail/service-kit';
import { versionIdsOf, type MatchedComponent } from '../domain/component';
import { pagesOf } from '../domain/pages';
import type { EvaluatedSet } from '../store/component-set-store';
import type { FeedState } from '../store/feed-state-store';
import { describeComponents } from './describe-components';
import { knownRevision, maxRounds, readAt, type ReadFindingsDeps } from './read-findings';
import { mayBeOf } from './read-findings-page';

/** Which findings are asked for: of these packages, or of all where there are none. */
export interface FindingsQuery {
  digests: readonly string[];
  packages: readonly string[] | null;
}

export interface SetsFindingsResult {
  /** Of how many of the sets, from the first on; 0: the first one is too large for an answer. */
  answered: number;
  /** `SetsFindings`, as `packJson` packs it. */
  report: Uint8Array;
}

/** Sets whose hits are in memory together. */
const setsPerRead = 16;
/** Findings of all sets and text of what they share at which an answer ends. */
const maxPositions = 50_000;
/** Of one set: who reads it holds all of them at once. */
const maxPositionsOfSet = 20_000;
/** Several matches may be one finding; a set with so many is not even begun. */
const maxMatchesOfSet = 2 * maxPositionsOfSet;
const maxText = 8 * 1024 * 1024;

/**
 * The findings of component sets, each of them as `readFindings` gives them. An answer that grows too
 * large ends before the last set; of a set that alone is too large nothing is answered.
 *
 * @throws AppError `service_unavailable` when the advisories keep changing
 */
export async function readFindingsOfSets(
  deps: ReadFindingsDeps,
  query: FindingsQuery,
): Promise<SetsFindingsResult> {
  for (let round = 0; round < maxRounds; round += 1) {
    const state = await deps.feed.read();
    const shared = new SharedFindings(deps, state, query.packages);
    const sets: string[] = [];
    let answered = 0;
    for (const digests of pagesOf(query.digests, { items: setsPerRead })) {
      const found = await Promise.all(digests.map((digest) => readMatched(deps, digest, query)));
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
    if ((await deps.feed.read()).stamp !== state.stamp) continue;
    return { answered, report: await packJson(shared.report(sets)) };
  }
  throw new AppError('service_unavailable', 'The advisories keep changing: repeat the request.');
}

/** The findings of several sets, equal ones once. */
class SharedFindings {
  private readonly findings: string[] = [];
  private readonly details = new Map<string, string>();
  /** Of each component at each revision. */
  private readonly positionsOf = new Map<string, number[]>();
  private readonly packages: ReadonlySet<string> | null;
  private positionCount = 0;
  private text = 0;

  constructor(
    private readonly deps: ReadFindingsDeps,
    private readonly state: FeedState,
    packages: readonly string[] | null,
  ) {
    this.packages = packages && new Set(packages);
  }

  /** Where the findings of each of the sets stand, up to the first one for which there is no room. */
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

  /** In the order of the hits; false where that became too much before the last one. */
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

/** The sets before the first one that has too many hits. */
function upToMany(found: readonly (EvaluatedSet | 'many' | null)[]): EvaluatedSet[] {
  const end = found.indexOf('many');
  const before = end < 0 ? found : found.slice(0, end);
  return before.flatMap((one) => (one === null || one === 'many' ? [] : one));
}

/** What a query needs of a set; `many`: it has so many hits that their findings are too many for an answer. */
async function readMatched(
  { sets }: Pick<ReadFindingsDeps, 'sets'>,
  digest: string,
  { packages }: FindingsQuery,
): Promise<EvaluatedSet | 'many' | null> {
  const set = packages
    ? await sets.readSome(digest, mayBeOf(new Set(packages)))
    : await sets.readSmall(digest);
  if (!set || set === 'many') return set;
  const matches = set.matched.reduce((sum, component) => sum + component.matches, 0);
  return matches > maxMatchesOfSet ? 'many' : set;
}

/** Components that are the same to whoever reads the findings. */
function keyOf(component: MatchedComponent, revision: number): string {
  const { purl, package_name, package_version, is_direct, is_root = false } = component;
  return `${revision} ${is_direct} ${is_root} ${versionIdsOf(component).join()}\n${purl}\n${package_name}\n${package_version}`;
}
