import type { PackageUrl } from '@bomtrail/purl';
import { normaliseName } from './ecosystems';
import type { PackageVersion } from './package-key';

/**
 * Suffix of a module that the component may be a package of, unless it is a nested module
 * (`github.com/hashicorp/vault/api`).
 */
export const PERHAPS_ITS_PACKAGE = 'perhaps';

/**
 * Hosts whose module paths have at least three segments: `host/owner/name`, `golang.org/x/name`.
 */
const HOSTS_WITH_OWNERS: ReadonlySet<string> = new Set([
  'github.com',
  'gitlab.com',
  'bitbucket.org',
  'codeberg.org',
  'golang.org',
]);

/** Nested modules below `golang.org/x/<name>`. */
const GO_PROJECT = /^golang\.org\/x\/([^/]+)\/(.+)$/;
const NESTED_IN_GO_PROJECT: readonly RegExp[] = [
  /^crypto\/x509roots(?:\/|$)/,
  /^(?:exp|website|telemetry|vulndb)\//,
  /^tools\/(?:gopls|cmd|go\/vcs|go\/packages\/gopackages)(?:\/|$)/,
];

/** Number of parent modules that longer paths are looked up by, nearest first. */
const MAX_MODULES_ABOVE = 4;

/**
 * Rule M46: the modules that a Go component may belong to. Purls should name modules, but some
 * tools name packages (`golang.org/x/net/http2`). A path does not show whether it is a package or a
 * nested module:
 *
 * - Go's own repositories (`golang.org/x/net`) and `+incompatible` versions have one module; only
 *   that is looked up.
 * - A purl with `type=module` names a module, and a path below `/v3` belongs to no module above
 *   that.
 * - Otherwise the path itself counts, and the module before a subpath, which is the whole name by
 *   the purl specification; an advisory for another module above makes it undetermined.
 *
 * @param name result of `normaliseName`
 * @param version normalised for the comparer
 */
export function goModules(name: string, version: string, purl: PackageUrl): PackageVersion[] {
  const own: PackageVersion = { ecosystem: 'Go', suffix: null, name, version };
  if (purl.qualifiers.type === 'module') return [own];
  const certain = certainModule(name, version);
  if (certain !== null) return [{ ...own, name: certain }];
  const above = modulesAbove(name, version).slice(0, MAX_MODULES_ABOVE);
  const named = purl.module === undefined ? undefined : normaliseName('Go', purl.module);
  const suffixOf = (path: string) => (path === named ? null : PERHAPS_ITS_PACKAGE);
  return [own, ...above.map((path) => ({ ...own, suffix: suffixOf(path), name: path }))];
}

function certainModule(name: string, version: string): string | null {
  const [, project, rest] = GO_PROJECT.exec(name) ?? [];
  if (project !== undefined && rest !== undefined) {
    const isNested = NESTED_IN_GO_PROJECT.some((nested) => nested.test(`${project}/${rest}`));
    return isNested ? null : `golang.org/x/${project}`;
  }
  const parts = name.split('/');
  const isWhole = version.endsWith('+incompatible') && HOSTS_WITH_OWNERS.has(parts[0] ?? '');
  return isWhole && parts.length > 3 ? parts.slice(0, 3).join('/') : null;
}

/** `v2` and up at the end of a module path, the major version of its versions. */
const MAJOR_ELEMENT = /^v([2-9]|[1-9]\d+)$/;

/** Parent paths, nearest first, that can be a module with such a version. */
function modulesAbove(name: string, version: string): string[] {
  const parts = name.split('/');
  const host = parts[0] ?? '';
  if (!host.includes('.')) return [];
  const majorAt = parts.findLastIndex((part) => MAJOR_ELEMENT.test(part));
  const shortest = Math.max(HOSTS_WITH_OWNERS.has(host) ? 3 : 2, majorAt + 1);
  const paths: string[] = [];
  for (let length = parts.length - 1; length >= shortest; length--) {
    const path = parts.slice(0, length).join('/');
    if (hasMajorOf(path, version)) paths.push(path);
  }
  return paths;
}

/** From 2 on module paths end with the major version; gopkg.in's with `.v2`. */
function hasMajorOf(path: string, version: string): boolean {
  const major = /^\d+/.exec(version)?.[0];
  if (major === undefined || version.endsWith('+incompatible')) return true;
  const named = /[/.]v(\d+)$/.exec(path)?.[1];
  if (path.startsWith('gopkg.in/')) return named === major;
  return named === undefined ? Number(major) < 2 : named === major;
}
