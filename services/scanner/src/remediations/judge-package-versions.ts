import {
  AppError,
  type JudgedVersions,
  type judgePackageVersions as definition,
  type VersionVerdict,
} from '@bomtrail/messages';
import { packJson } from '@bomtrail/messaging';
import { versionText, type PackageVersion } from '@bomtrail/osv';
import type { z } from 'zod';
import { pagesOf } from '../domain/pages';
import type { FeedState } from '../feeds/domain/feed-state';
import type { FeedStateStore } from '../feeds/store/feed-state-store';
import { assessByAdvisories } from '../matching/assess-by-advisories';
import type { Assessment } from '../matching/domain/assess-version';
import { visitAdvisories, type VisitAdvisoriesDeps } from '../matching/visit-advisories';

export interface JudgePackageVersionsDeps extends VisitAdvisoriesDeps {
  feed: Pick<FeedStateStore, 'read'>;
}

type JudgedPackage = z.infer<typeof definition.request>['packages'][number];

/** Packages whose advisories are read in one query. */
const packagesPerRead = 50;
/** Matches at which a response ends: some megabytes. */
const maxMatches = 200_000;
/** Attempts when the advisories change meanwhile. */
const maxRounds = 5;

/**
 * Judges versions of packages by the advisories in force, as scans do, at one revision. Nothing is
 * stored.
 *
 * @returns `answered`: number of packages in the response, from the first on; `packed`:
 *   `JudgedVersions`
 * @throws AppError `service_unavailable` when the advisories keep changing
 */
export async function judgePackageVersions(
  deps: JudgePackageVersionsDeps,
  packages: readonly JudgedPackage[],
): Promise<{ revision: number; answered: number; packed: Uint8Array }> {
  for (let round = 0; round < maxRounds; round += 1) {
    const state = await deps.feed.read();
    const verdicts = new Verdicts();
    for (const page of pagesOf(packages, { items: packagesPerRead })) {
      await judge(deps, page, { state, verdicts });
      if (verdicts.matches >= maxMatches) break;
    }
    if ((await deps.feed.read()).stamp !== state.stamp) continue;
    const packed = await packJson(JSON.stringify(verdicts.result));
    return { revision: state.revision, answered: verdicts.result.packages.length, packed };
  }
  throw new AppError('service_unavailable', 'The advisories keep changing: repeat the request.');
}

async function judge(
  deps: JudgePackageVersionsDeps,
  packages: readonly JudgedPackage[],
  { state, verdicts }: { state: FeedState; verdicts: Verdicts },
): Promise<void> {
  const { stamp, revision } = state;
  const asked = packages.map((one) => one.versions.map((version) => versionsOf(one, version)));
  const groups = new Map<string, string>();
  const assessments = await assessByAdvisories(asked.flat(2), (keys, visit) =>
    visitAdvisories(deps, keys, {
      stamp,
      revision,
      visit: (advisory) => {
        groups.set(advisory.record.id, advisory.group);
        visit(advisory);
      },
    }),
  );
  let at = 0;
  for (const versions of asked)
    verdicts.add(
      versions.map((names) => assessments.slice(at, (at += names.length))),
      groups,
    );
}

/** The package versions to assess: one for each name. */
function versionsOf({ ecosystem, names }: JudgedPackage, version: string) {
  const text = versionText(ecosystem, version);
  return names.map((one): PackageVersion => ({ ...one, ecosystem, version: text }));
}

/** Builds the result; each advisory is named once. */
class Verdicts {
  readonly result: JudgedVersions = { advisories: [], packages: [] };
  private readonly positions = new Map<string, number>();
  matches = 0;

  /** @param versions assessments under each name of each version of one package */
  add(versions: readonly (readonly Assessment[])[], groups: ReadonlyMap<string, string>): void {
    this.result.packages.push(
      versions.map((names): VersionVerdict => {
        const affected = names.flatMap(({ matches }) => matches.map(({ id }) => id));
        const undecided = names.flatMap((assessment) => assessment.undecided ?? []);
        this.matches += affected.length + undecided.length;
        return {
          affected: this.positionsOf(affected, groups),
          undecided: this.positionsOf(undecided, groups),
        };
      }),
    );
  }

  private positionsOf(ids: readonly string[], groups: ReadonlyMap<string, string>): number[] {
    const distinct = new Set(
      ids.map((id) => {
        const known = this.positions.get(id);
        if (known !== undefined) return known;
        const position = this.result.advisories.push({ id, group: groups.get(id) ?? id }) - 1;
        this.positions.set(id, position);
        return position;
      }),
    );
    return [...distinct];
  }
}
