import { AppError } from '@bomtrail/messages';
import { packJson } from '@bomtrail/service-kit';
import { versionIdsOf, type Hit } from '../domain/component';
import { pagesOf } from '../domain/pages';
import type { EvaluatedSet } from '../store/component-set-store';
import type { FeedState } from '../store/feed-state-store';
import {
  describeHits,
  knownRevision,
  maxRounds,
  readAt,
  type ReadFindingsDeps,
} from './read-findings';

/** Which findings are asked for: of these packages, or of all where there are none. */
export interface FindingsQuery {
  digests: readonly string[];
  packages: readonly string[] | null;
}

export interface SetsFindingsAnswer {
  /** Of how many of the sets, from the first on. */
  answered: number;
  /** `SetsFindings`, as `packJson` packs it. */
  report: Uint8Array;
}

/** Sets whose hits are in memory together. */
const setsPerRead = 50;
/** Findings of all sets and text of what they share at which an answer ends. */
const maxPlaces = 50_000;
const maxText = 8 * 1024 * 1024;

/**
 * The findings of component sets, each of them as `readFindings` gives them. An answer that grows too
 * large ends before the last set.
 *
 * @throws AppError `service_unavailable` when the advisories keep changing
 */
export async function readFindingsOfSets(
  deps: ReadFindingsDeps,
  query: FindingsQuery,
): Promise<SetsFindingsAnswer> {
  for (let round = 0; round < maxRounds; round += 1) {
    const state = await deps.feed.read();
    const shared = new SharedFindings(deps, state, query.packages);
    const sets: string[] = [];
    let answered = 0;
    for (const digests of pagesOf(query.digests, { items: setsPerRead })) {
      const found = await Promise.all(digests.map((digest) => deps.sets.read(digest)));
      for (const [set, places] of await shared.placesIn(found.flatMap((one) => one ?? []))) {
        const revision = knownRevision(set, readAt(set, state).revision, state);
        sets.push(JSON.stringify({ digest: set.digest, revision, findings: places }));
      }
      answered += digests.length;
      if (shared.isLarge()) break;
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
  private readonly placesOf = new Map<string, number[]>();
  private readonly packages: ReadonlySet<string> | null;
  private told = 0;
  private text = 0;

  constructor(
    private readonly deps: ReadFindingsDeps,
    private readonly state: FeedState,
    packages: readonly string[] | null,
  ) {
    this.packages = packages && new Set(packages);
  }

  /** Where the findings of each of the sets stand. */
  async placesIn(sets: readonly EvaluatedSet[]): Promise<[EvaluatedSet, number[]][]> {
    const fresh = new Map<number, Hit[]>();
    const keysOf = sets.map((set) => {
      const { revision } = readAt(set, this.state);
      return set.hits.map((hit) => {
        const key = keyOf(hit, revision);
        if (!this.placesOf.has(key)) {
          this.placesOf.set(key, []);
          const some = fresh.get(revision);
          if (some) some.push(hit);
          else fresh.set(revision, [hit]);
        }
        return key;
      });
    });
    for (const [revision, hits] of fresh) await this.add(hits, revision);
    return sets.map((set, index) => {
      const places = (keysOf[index] ?? []).flatMap((key) => this.placesOf.get(key) ?? []);
      this.told += places.length;
      return [set, places];
    });
  }

  private async add(hits: readonly Hit[], revision: number): Promise<void> {
    const at = { stamp: this.state.stamp, revision, packages: this.packages };
    for (const { hit, finding, description } of await describeHits(this.deps, hits, at)) {
      const text = JSON.stringify(finding);
      this.placesOf.get(keyOf(hit, revision))?.push(this.findings.push(text) - 1);
      this.text += text.length;
      if (!this.details.has(description.key)) this.text += description.json.length;
      this.details.set(description.key, description.json);
    }
  }

  isLarge(): boolean {
    return this.told > maxPlaces || this.text > maxText;
  }

  report(sets: readonly string[]): string {
    const vulnerabilities = [...this.details].map(([key, json]) => `"${key}":${json}`);
    return `{"sets":[${sets.join()}],"findings":[${this.findings.join()}],"vulnerabilities":{${vulnerabilities.join()}}}`;
  }
}

/** Components that are the same to whoever reads the findings. */
function keyOf(hit: Hit, revision: number): string {
  const { purl, package_name, package_version, is_direct } = hit;
  return `${revision} ${is_direct} ${versionIdsOf(hit).join()}\n${purl}\n${package_name}\n${package_version}`;
}
