import { ApiError, type PackageSearch, type VulnerabilitySearch } from '@bomtrail/api-client';
import type { Context, Outcome } from '../context';
import { EXIT } from '../exit-codes';
import { projectId } from '../gate/project-target';
import { cleanText, counted, jsonText } from '../output/clean-text';
import { table, VULNERABILITY_HEAD, vulnerabilityCells } from '../output/table';
import { maxPageSize } from './max-page-size';

const advisoryShape = /^[A-Z][A-Za-z]*-[0-9A-Za-z:.-]+$/;

export interface SearchOptions {
  /** A purl, a package `name` or `name@version`, or the id of a vulnerability. */
  text: string;
  as: 'package' | 'vulnerability' | undefined;
  json: boolean;
}

/**
 * Finds the services that use a package or have a vulnerability. "Nobody" is reported only if that is certain:
 * with unscanned SBOMs or an unknown id the result is undecided.
 */
export async function search(context: Context, options: SearchOptions): Promise<Outcome> {
  const { api, settings } = context;
  const scope = settings.project ? { project_id: await projectId(api, settings.project) } : {};
  const as = options.as ?? (advisoryShape.test(options.text) ? 'vulnerability' : 'package');
  return as === 'package'
    ? ofPackage(context, options, scope)
    : ofVulnerability(context, options, scope);
}

type Scope = { project_id?: string };

async function ofPackage(
  { api, print }: Context,
  { text, json }: SearchOptions,
  scope: Scope,
): Promise<Outcome> {
  const page = await api.searchPackages({ ...packageQuery(text), ...scope, per_page: maxPageSize });
  if (json) print(jsonText(page));
  else if (page.items.length > 0) {
    const rows = page.items.flatMap((match) =>
      match.packages.map((one) => [
        ...[match.project_slug, match.service_name ?? '', match.version ?? ''],
        ...[one.name, one.version, one.affected ? 'affected' : ''],
      ]),
    );
    print(`${table(['Project', 'Service', 'Version', 'Package', 'In version', ''], rows)}\n`);
  }
  const gaps = page.complete ? [] : ['earlier SBOMs are still being indexed'];
  const outcome = searchOutcome(page, `${text} is in`, gaps);
  const isName = !text.startsWith('pkg:');
  return page.total === 0 && isName
    ? { ...outcome, line: `${outcome.line}; ${wholeNames}` }
    : outcome;
}

/** Else `log4j-core` seems to be in use nowhere. */
const wholeNames =
  'only whole names are found: group:artifact in Maven, @scope/name in npm, the module path in Go';

/** `pkg:…` is a purl; an `@` after the first character separates name and version. */
function packageQuery(text: string): { purl: string } | { name: string; version?: string } {
  if (text.startsWith('pkg:')) return { purl: text };
  const at = text.lastIndexOf('@');
  return at > 0 ? { name: text.slice(0, at), version: text.slice(at + 1) } : { name: text };
}

async function ofVulnerability(
  { api, print }: Context,
  { text, json }: SearchOptions,
  scope: Scope,
): Promise<Outcome> {
  const query = { ...scope, per_page: maxPageSize };
  const page = await api.searchVulnerability(text, query).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'advisory_not_found') return null;
    throw error;
  });
  if (!page) {
    const line = `UNDECIDED ${text}: no loaded advisory has this id, so it is unknown who is affected`;
    return { exitCode: EXIT.undecided, line: cleanText(line) };
  }
  if (json) print(jsonText(page));
  else if (page.items.length > 0) {
    const rows = page.items.map((row) => [
      ...vulnerabilityCells(row),
      ...[row.status, row.project_name, row.service_name ?? ''],
    ]);
    print(`${table([...VULNERABILITY_HEAD, 'Status', 'Project', 'Service'], rows)}\n`);
  }
  const data = page.advisory_data === 'feed' ? [] : ['no advisory feed is loaded'];
  return searchOutcome(page, `${text} affects`, data);
}

/** @param gaps reasons why the result is incomplete, besides unscanned SBOMs */
function searchOutcome(
  page: Pick<
    PackageSearch | VulnerabilitySearch,
    'total' | 'items' | 'pending_sboms' | 'failed_sboms'
  >,
  found: string,
  gaps: readonly string[],
): Outcome {
  const missing = [
    ...gaps,
    ...(page.pending_sboms > 0 ? [`${counted(page.pending_sboms, 'SBOM')} not scanned yet`] : []),
    ...(page.failed_sboms > 0
      ? [`${counted(page.failed_sboms, 'SBOM')} that failed to scan or expired`]
      : []),
  ];
  const but = missing.length > 0 ? `; not known: ${missing.join(', ')}` : '';
  if (page.total > 0) {
    const part = page.items.length < page.total ? `, ${page.items.length} shown` : '';
    return {
      exitCode: EXIT.pass,
      line: cleanText(`FOUND ${found} ${counted(page.total, 'place')}${part}${but}`),
    };
  }
  return missing.length > 0
    ? {
        exitCode: EXIT.undecided,
        line: cleanText(`UNDECIDED ${found} no known place${but}`),
      }
    : { exitCode: EXIT.pass, line: cleanText(`NOBODY ${found} no place`) };
}
