import { fullName, parsePurl } from '@bomtrail/purl';
import type { PackageUrl } from '@bomtrail/purl';
import { normaliseName } from './ecosystems';
import { goModules } from './go-module';
import { distributionOf, distroText, namesDistribution } from './distributions';
import { locateDistributionPackage, sourceDataStatus } from './locate-distribution-package';
import type { SourceDataStatus } from './locate-distribution-package';
import type { PackageVersion } from './package-key';
import { hasRegistries, normaliseSuffix } from './registry';
import { versionText } from './version-text';

/**
 * Why a component could not be evaluated.
 *
 * - `no_purl`: the purl is missing, unreadable, or lacks the namespace that its type requires.
 * - `release_unknown`: an advisory applies to a release or registry that the component does not
 *   name, or vice versa.
 * - `module_unknown`: an advisory applies to a Go module that may contain the component (M46).
 * - `unknown_action`: no advisory names this GitHub repository (M47).
 */
export type UndeterminedReason =
  | 'no_purl'
  | 'no_version'
  | 'unknown_ecosystem'
  | 'unreadable_version'
  | 'release_unknown'
  | 'module_unknown'
  | 'unknown_action';

export type Located =
  | {
      kind: 'packages';
      /** One or more, all of one ecosystem; the component is affected when any of them is (M29). */
      packages: readonly PackageVersion[];
      source: SourceDataStatus;
    }
  | { kind: 'undetermined'; reason: UndeterminedReason };

/**
 * purl type → OSV ecosystem, where the type decides (matching guide, section 4). Older scanners
 * write `dotnet` and `dotnet-core` for NuGet packages of a .deps.json.
 */
const ECOSYSTEM_OF_TYPE: ReadonlyMap<string, string> = new Map([
  ['npm', 'npm'],
  ['pypi', 'PyPI'],
  ['golang', 'Go'],
  ['cargo', 'crates.io'],
  ['maven', 'Maven'],
  ['gem', 'RubyGems'],
  ['nuget', 'NuGet'],
  ['dotnet', 'NuGet'],
  ['dotnet-core', 'NuGet'],
  ['composer', 'Packagist'],
  ['hex', 'Hex'],
  ['pub', 'Pub'],
  ['swift', 'SwiftURL'],
  ['conan', 'ConanCenter'],
  ['cran', 'CRAN'],
  ['hackage', 'Hackage'],
  ['bitnami', 'Bitnami'],
  ['julia', 'Julia'],
  ['opam', 'opam'],
  ['bioconductor', 'Bioconductor'],
  ['vscode-extension', 'VSCode'],
  ['github', 'GitHub Actions'],
]);

/** Placeholders that tools write for unknown versions. */
const NO_VERSION: ReadonlySet<string> = new Set([
  '',
  'unknown',
  'unspecified',
  'noassertion',
  'none',
  'null',
  'undefined',
]);

/**
 * Ecosystems whose names have two parts at least, with what separates them. A purl without its
 * namespace (`pkg:maven/junit@4.12`) names no package of theirs: no advisory could ever match it.
 * Source: purl type definitions, "Namespace definition: required".
 */
const SEPARATOR: ReadonlyMap<string, string> = new Map([
  ['Maven', ':'],
  ['Packagist', '/'],
  ['SwiftURL', '/'],
]);

/** The fields of a component that decide its package versions. */
export interface LocatedComponent {
  purl: string | null;
  /** Empty when the document has none. */
  version: string;
  /** Source of a distribution package, `name` or `name@version`, if it is not in the purl. */
  source_package?: string;
}

/**
 * Returns the package versions of a component. The purl decides ecosystem, name and version;
 * without a version in the purl the component's own counts. Otherwise returns the reason. A version
 * that the comparer cannot read is still a package version, because an advisory may list it
 * literally.
 */
export function locate(component: LocatedComponent): Located {
  const purl = component.purl === null ? null : parsePurl(component.purl);
  if (purl === null) return undetermined('no_purl');
  const version = (purl.version ?? component.version).trim();

  if (namesDistribution(purl.type)) {
    const distro = distroText(purl);
    const distribution = distributionOf(purl, distro);
    if (distribution === null) return undetermined('unknown_ecosystem');
    const unversioned = whyNoVersion(version);
    if (unversioned !== null) return undetermined(unversioned);
    const sourced = withSource(purl, component.source_package);
    const packages = locateDistributionPackage(sourced, version, { distribution, distro });
    const source = sourceDataStatus(sourced, distribution.ecosystem);
    return { kind: 'packages', packages, source };
  }

  const ecosystem = ECOSYSTEM_OF_TYPE.get(purl.type);
  if (ecosystem === undefined) return undetermined('unknown_ecosystem');
  const located = locateIn(ecosystem, purl, version);
  const separator = SEPARATOR.get(ecosystem);
  if (separator !== undefined && !located.name.includes(separator)) return undetermined('no_purl');
  const unversioned = whyNoVersion(located.version);
  if (unversioned !== null) return undetermined(unversioned);
  const packages = ecosystem === 'Go' ? goModules(located.name, located.version, purl) : [located];
  return { kind: 'packages', packages, source: 'indifferent' };
}

/**
 * The OSV ecosystem, without suffix, whose advisories apply to packages of a purl's type (and, for
 * distributions, namespace); null: none.
 */
export function ecosystemOf(purl: PackageUrl): string | null {
  if (!namesDistribution(purl.type)) return ECOSYSTEM_OF_TYPE.get(purl.type) ?? null;
  return distributionOf(purl, distroText(purl))?.ecosystem ?? null;
}

/** M41: a source that the document states outside the purl counts if the purl has no `upstream`. */
function withSource(purl: PackageUrl, source: string | undefined): PackageUrl {
  if (source === undefined || purl.qualifiers.upstream !== undefined) return purl;
  return { ...purl, qualifiers: { ...purl.qualifiers, upstream: source } };
}

function whyNoVersion(version: string): 'no_version' | 'unreadable_version' | null {
  if (NO_VERSION.has(version.toLowerCase())) return 'no_version';
  // An unresolved build variable; Maven's order would accept it.
  return version.includes('${') ? 'unreadable_version' : null;
}

function locateIn(ecosystem: string, purl: PackageUrl, version: string): PackageVersion {
  switch (ecosystem) {
    case 'ConanCenter':
      return conanPackage(purl, version);
    case 'VSCode':
      return { ...plainPackage(ecosystem, purl, version), name: extensionOf(purl) };
    case 'GitHub Actions':
      return { ecosystem, suffix: null, name: repositoryOf(purl), version };
    default:
      return plainPackage(ecosystem, purl, version);
  }
}

function plainPackage(ecosystem: string, purl: PackageUrl, version: string): PackageVersion {
  return {
    ecosystem,
    suffix: registryOf(ecosystem, purl),
    name: normaliseName(ecosystem, fullName(purl)),
    version: versionText(ecosystem, version),
  };
}

function registryOf(ecosystem: string, { qualifiers }: PackageUrl): string | null {
  if (!hasRegistries(ecosystem)) return null;
  return normaliseSuffix(ecosystem, qualifiers.repository_url ?? null);
}

/** The marketplace's id: `publisher.name`. */
function extensionOf({ namespace, name }: PackageUrl): string {
  const id = namespace === null ? name : `${namespace}.${name}`;
  return normaliseName('VSCode', id);
}

/** Advisories name the repository; an action may be in a folder of it (`owner/repo/path`). */
function repositoryOf(purl: PackageUrl): string {
  const [owner = '', repository = ''] = fullName(purl).split('/');
  const name = repository === '' ? owner : `${owner}/${repository}`;
  return normaliseName('GitHub Actions', name);
}

/**
 * M30: ConanCenter's packages have neither user nor channel (`_` means none). Others are foreign
 * recipes, treated like packages of another registry (M14). User and channel are in the namespace,
 * in qualifiers, or after the version's `@`, as in Conan's references.
 */
function conanPackage(purl: PackageUrl, text: string): PackageVersion {
  const [name = '', version = '', owner = ''] = `${purl.name}@${text}`.split('@');
  const { user, channel } = purl.qualifiers;
  const parts = [purl.namespace ?? user, channel, ...owner.split('/')];
  const named = parts.filter((part) => part !== undefined && part !== '' && part !== '_');
  const suffix = named.length === 0 ? null : [...new Set(named)].join('/');
  return {
    ecosystem: 'ConanCenter',
    suffix,
    name: normaliseName('ConanCenter', name),
    version: version.trim(),
  };
}

function undetermined(reason: UndeterminedReason): Located {
  return { kind: 'undetermined', reason };
}
