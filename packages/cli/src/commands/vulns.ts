import type { Context, Outcome } from '../context';
import { safeCsv } from '../output/safe-csv';
import { table, VULNERABILITY_HEAD, vulnerabilityCells } from '../output/table';
import { doubtOfList, outcomeOfList } from './doubt-of-list';
import { readPages } from './read-pages';
import { jsonText } from '../output/clean-text';
import { scopeOf } from './scope-of';

/** Filters as the flags have them; absent: everything. */
export interface VulnsFilters {
  severity?: string;
  id?: string;
  package?: string;
  purl?: string;
  ecosystem?: string;
  search?: string;
  kev?: boolean;
  minEpss?: string;
  fixable?: boolean;
  direct?: boolean;
  decision?: string;
  assignee?: string;
  ticket?: boolean;
  detectedSince?: string;
  overdue?: boolean;
  owner?: string;
  label?: string;
}

export interface VulnsOptions extends VulnsFilters {
  /** Comma-separated states. */
  state: string;
  limit: number;
  json: boolean;
  /** All of them, whatever the limit. */
  csv?: boolean;
}

/**
 * Lists the vulnerabilities of a project or service; of all projects if none is set. Says why some may be missing, see
 * `doubtOfList`; an empty list is then undecided.
 */
export async function vulns(context: Context, options: VulnsOptions): Promise<Outcome> {
  const { api, settings, print } = context;
  const scope = await scopeOf(context);
  const query = { ...scope, status: options.state, ...filtersOf(options) };
  const read = await readPages(options.csv ? 1 : options.limit, (paging) =>
    api.vulnerabilities({ ...query, ...paging }),
  );
  const shown = read.items;
  if (options.csv) for await (const text of safeCsv(api.vulnerabilitiesCsv(query))) print(text);
  else if (options.json) print(jsonText(read));
  else if (shown.length > 0) {
    const cells = shown.map((row) => [
      ...vulnerabilityCells(row),
      row.status,
      ...(settings.project ? [] : [row.project_name]),
      row.service_name ?? '',
      row.id,
    ]);
    const places = settings.project ? ['Service'] : ['Project', 'Service'];
    print(`${table([...VULNERABILITY_HEAD, 'Status', ...places, 'Id'], cells)}\n`);
  }
  const where = [settings.project ?? 'all projects', settings.service].filter(Boolean).join('/');
  const text = `${where}: ${read.total} ${options.state} ${read.total === 1 ? 'vulnerability' : 'vulnerabilities'}`;
  const part = !options.csv && shown.length < read.total ? `, ${shown.length} shown` : '';
  const { advisory_data } = read;
  const riskFeeds = riskFeedsOf(options);
  const doubt = await doubtOfList(api, { advisory_data, scope, riskFeeds });
  const suffix = ` (advisories: ${advisory_data})`;
  return outcomeOfList({ total: read.total, text: `${text}${part}`, doubt, suffix });
}

/** The risk feeds by which a list selects. */
function riskFeedsOf({ kev, minEpss }: Pick<VulnsFilters, 'kev' | 'minEpss'>) {
  return [...(kev ? ['kev' as const] : []), ...(minEpss ? ['epss' as const] : [])];
}

function filtersOf(flags: VulnsFilters): Record<string, string> {
  const named = {
    severity: flags.severity,
    cve_id: flags.id,
    package_name: flags.package,
    purl: flags.purl,
    ecosystem: flags.ecosystem,
    q: flags.search,
    kev: flags.kev && 'true',
    min_epss: flags.minEpss,
    has_fix: flags.fixable && 'true',
    is_direct: flags.direct && 'true',
    decision: flags.decision,
    assignee: flags.assignee,
    has_ticket: flags.ticket && 'true',
    detected_since: flags.detectedSince,
    overdue: flags.overdue && 'true',
    owner: flags.owner,
    label: flags.label,
  };
  const given = Object.entries(named).filter(
    ([, value]) => typeof value === 'string' && value !== '',
  );
  return Object.fromEntries(given) as Record<string, string>;
}
