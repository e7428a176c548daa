import type { ContainedPackage, PackageQuery, PackageSets } from '@bomtrail/messages';
import {
  locate,
  packageKey,
  PERHAPS_ITS_PACKAGE,
  releaseOfComponent,
  type PackageVersion,
} from '@bomtrail/osv';
import { normalisePypiName, packageIdentity, parsePurl } from '@bomtrail/purl';
import { packJson } from '@bomtrail/messaging';
import { isNamed, isOfVersion, type ComponentName } from '../matching/domain/component-name';
import type { DataStatusLookup } from './domain/coverage';
import { purlOf, versionedPurl } from './domain/purl-of';
import type { ComponentNameStore } from '../matching/store/component-name-store';
import type { ComponentSetStore } from '../matching/store/component-set-store';
import type { FeedState } from '../feeds/domain/feed-state';
import {
  assessmentAt,
  type PackageVersionDocument,
  type PackageVersionStore,
} from '../matching/store/package-version-store';
import type { DataStatusDeps } from './read-feeds';

export interface FindPackageSetsDeps extends DataStatusDeps {
  sets: ComponentSetStore;
  versions: PackageVersionStore;
  names: ComponentNameStore;
}

/** Packages found, by their id in component sets. */
type Found = Map<string, ContainedPackage>;

/**
 * Finds the component sets that contain a package, by purl or name. Package versions are found by
 * their name in advisories, other components by their own name. `complete`: all sets were evaluated
 * by the current rules, which store these names.
 */
export async function findPackageSets(
  deps: FindPackageSetsDeps,
  query: PackageQuery,
): Promise<{ body: { sets: number; complete: boolean }; attachment: Uint8Array }> {
  // Read first: a set that is evaluated in between is then in the result.
  const older = await deps.sets.listOlderRules('', 1);
  const state = await deps.feed.read();
  const at = { state, dataStatus: deps.dataStatusIn(state) };
  const found = query.purl === null ? await byName(deps, query, at) : await byPurl(deps, query, at);
  const report = await findSets(deps, found);
  return {
    body: { sets: Object.keys(report.sets).length, complete: older.length === 0 },
    attachment: await packJson(JSON.stringify(report)),
  };
}

type At = { state: FeedState; dataStatus: DataStatusLookup };

async function byName(deps: FindPackageSetsDeps, query: PackageQuery, at: At): Promise<Found> {
  const { name, version } = query;
  if (name === null) return new Map();
  const [versions, names] = await Promise.all([
    deps.versions.findByNames([...new Set([name, normalisePypiName(name)])]),
    deps.names.findByName(name),
  ]);
  return toFound(
    versions.filter(
      (one) => isOwn(one) && isNamed(one, name) && (version === null || isOfVersion(one, version)),
    ),
    names.filter((one) => version === null || one.versions.includes(version)),
    at,
  );
}

async function byPurl(deps: FindPackageSetsDeps, query: PackageQuery, at: At): Promise<Found> {
  const purl = parsePurl(query.purl ?? '');
  if (!purl) return new Map();
  const version = purl.version ?? query.version;
  const located = locate({ purl: query.purl, version: version ?? anyVersion });
  const packages = located.kind === 'packages' ? located.packages.filter(isOwn) : [];
  const keys = packages.map((one) => packageKey(one.ecosystem, one.name));
  const [versions, names] = await Promise.all([
    purl.type === 'golang'
      ? deps.versions.findByNames([...new Set(packages.map(({ name }) => name))])
      : deps.versions.listByPackages([...new Set(keys)]).toArray(),
    deps.names.findByIdentity(packageIdentity(purl)),
  ]);
  const isWanted = (one: PackageVersionDocument): boolean =>
    isOwn(one) &&
    packages.some(
      (wanted, index) => isSame(one, wanted, keys[index]) && fits(one, wanted, version),
    );
  return toFound(
    versions.filter(isWanted),
    names.filter((one) => version === null || one.versions.includes(version)),
    at,
  );
}

/** Documents write Go modules with capitals in lower case, too (M42). */
function isSame(
  one: PackageVersionDocument,
  { ecosystem, name }: PackageVersion,
  key: string | undefined,
): boolean {
  if (ecosystem !== 'Go') return one.package === key;
  return one.ecosystem === 'Go' && one.name.toLowerCase() === name.toLowerCase();
}

/** Placeholder for a purl without version; not compared. */
const anyVersion = '0';

/** Whether a component is part of a Go module above its path is unknown (M46). */
function isOwn({ ecosystem, suffix }: Pick<PackageVersion, 'ecosystem' | 'suffix'>): boolean {
  return ecosystem !== 'Go' || suffix !== PERHAPS_ITS_PACKAGE;
}

/** Registry and release are compared only if the purl has them. */
function fits(
  one: PackageVersionDocument,
  wanted: PackageVersion,
  version: string | null,
): boolean {
  if (wanted.suffix !== null && one.suffix !== wanted.suffix) return false;
  return version === null || one.version === wanted.version;
}

function toFound(
  versions: readonly PackageVersionDocument[],
  names: readonly ComponentName[],
  at: At,
): Found {
  const found: Found = new Map();
  for (const version of versions) found.set(version._id, containedVersion(version, at));
  for (const {
    _id,
    name,
    identity,
    versions: [version = ''],
  } of names) {
    const purl = identity === null ? null : versionedPurl(identity, version);
    found.set(_id, { name, version, purl, ecosystem: null, affected: null });
  }
  return found;
}

function containedVersion(
  document: PackageVersionDocument,
  { state, dataStatus }: At,
): ContainedPackage {
  const { ecosystem, name, version } = document;
  const assessment = assessmentAt(document, state.revision);
  const isClean =
    assessment?.undetermined === null && dataStatus(releaseOfComponent(document)) === 'feed';
  const isAffected = (assessment?.matches.length ?? 0) > 0;
  return {
    name,
    version,
    purl: purlOf(document),
    ecosystem,
    affected: isAffected ? true : isClean ? false : null,
  };
}

async function findSets(deps: FindPackageSetsDeps, found: Found): Promise<PackageSets> {
  const ids = [...found.keys()];
  const byId = ids.map((id) => found.get(id) as ContainedPackage);
  const order = [...byId.keys()].sort((a, b) => compare(byId[a], byId[b]));
  const positionOf = new Map(order.map((index, position) => [ids[index] ?? '', position]));
  const sets: Record<string, number[]> = {};
  for await (const { digest, contained } of deps.sets.listContaining(ids)) {
    const positions = contained.flatMap((id) => positionOf.get(id) ?? []);
    sets[digest] = [...new Set([...(sets[digest] ?? []), ...positions])].sort((a, b) => a - b);
  }
  return { packages: order.flatMap((index) => byId[index] ?? []), sets };
}

function compare(a: ContainedPackage | undefined, b: ContainedPackage | undefined): number {
  const text = (one: ContainedPackage | undefined): string =>
    [one?.name, one?.version, one?.ecosystem, one?.purl].join('\n');
  return text(a) < text(b) ? -1 : Number(text(a) > text(b));
}
