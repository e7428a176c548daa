import {
  AppError,
  type JudgedVersions,
  type judgePackageVersions as definition,
  type VersionVerdict,
} from '@bomtrail/messages';
import { packJson } from '@bomtrail/messaging';
import { evaluateStatus, versionText, type PackageVersion } from '@bomtrail/osv';
import type { z } from 'zod';
import { pagesOf } from '../domain/pages';
import { isSameState, type FeedState } from '../feeds/domain/feed-state';
import type { FeedStateStore } from '../feeds/store/feed-state-store';
import type { StoredAdvisory } from '../feeds/store/advisory-documents';
import { keyOf } from '../matching/assess-by-advisories';
import { visitAdvisories, type VisitAdvisoriesDeps } from '../matching/visit-advisories';

export interface JudgePackageVersionsDeps extends VisitAdvisoriesDeps {
  feed: Pick<FeedStateStore, 'read'>;
}

type NamedAdvisory = JudgedVersions['advisories'][number];
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
    if (!isSameState(await deps.feed.read(), state)) continue;
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
  const asked = packages.map(versionsOf);
  const byPackage = new Map<string, AskedVersion[]>();
  for (const one of asked.flat())
    for (const pkg of one.packages) {
      const known = byPackage.get(keyOf(pkg));
      if (known) known.push(one);
      else byPackage.set(keyOf(pkg), [one]);
    }
  const visit = (advisory: StoredAdvisory): void => {
    const concerned = new Set(advisory.affects.flatMap((key) => byPackage.get(key) ?? []));
    for (const one of concerned) addTo(one, advisory);
  };
  await visitAdvisories(deps, byPackage.keys(), { stamp, revision, visit });
  for (const versions of asked) verdicts.add(versions);
}

/** A version under each name of its package, with the advisories found. */
interface AskedVersion {
  packages: PackageVersion[];
  affected: NamedAdvisory[];
  undecided: NamedAdvisory[];
}

function versionsOf({ ecosystem, names, versions }: JudgedPackage): AskedVersion[] {
  return versions.map((text) => {
    const version = versionText(ecosystem, text);
    const packages = names.map((one): PackageVersion => ({ ...one, ecosystem, version }));
    return { packages, affected: [], undecided: [] };
  });
}

function addTo(one: AskedVersion, { record, group }: StoredAdvisory): void {
  const statuses = one.packages.map((pkg) => evaluateStatus(record, pkg));
  const named = { id: record.id, group };
  if (statuses.includes('affected')) one.affected.push(named);
  if (statuses.includes('undetermined')) one.undecided.push(named);
}

/** Builds the result; each advisory is named once. */
class Verdicts {
  readonly result: JudgedVersions = { advisories: [], packages: [] };
  private readonly positions = new Map<string, number>();
  matches = 0;

  /** @param versions of one package */
  add(versions: readonly AskedVersion[]): void {
    this.result.packages.push(
      versions.map(({ affected, undecided }): VersionVerdict => {
        this.matches += affected.length + undecided.length;
        return { affected: this.positionsOf(affected), undecided: this.positionsOf(undecided) };
      }),
    );
  }

  private positionsOf(advisories: readonly NamedAdvisory[]): number[] {
    return advisories.map(({ id, group }) => {
      const known = this.positions.get(id);
      if (known !== undefined) return known;
      const position = this.result.advisories.push({ id, group }) - 1;
      this.positions.set(id, position);
      return position;
    });
  }
}
