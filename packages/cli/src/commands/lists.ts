import type { Acceptance, ExploitedEvidence, Project, Service } from '@bomtrail/api-client';
import type { Context, Outcome } from '../context';
import { EXIT } from '../exit-codes';
import { creatableSlug, projectId, projectTarget } from '../gate/project-target';
import { cleanText, counted, jsonText } from '../output/clean-text';
import { safeCsv } from '../output/safe-csv';
import { table } from '../output/table';
import { doubtOfList, outcomeOfList } from './doubt-of-list';
import { readPages } from './read-pages';

export const listFormats = ['table', 'json', 'csv'] as const;

export interface ListOptions {
  /** Maximum number of items; CSV has all. */
  limit: number;
  output: (typeof listFormats)[number];
}

/** Flags that narrow a list by owner and labels. */
export interface Owned {
  owner?: string;
  /** Comma-separated. */
  label?: string;
}

/** The same for the API; an empty flag is none. */
export function ownedBy({ owner, label }: Owned): Owned {
  return { ...(owner && { owner }), ...(label && { label }) };
}

interface Page<Item> {
  items: readonly Item[];
  total: number;
  has_more: boolean;
}

interface List<Item> {
  /** Singular name of an item. */
  what: string;
  /** Plural; default: with an s. */
  many?: string;
  head: readonly string[];
  cells: (item: Item) => readonly (string | null | undefined)[];
  read: (paging: { page: number; per_page: number }) => Promise<Page<Item>>;
  csv: () => AsyncIterable<string>;
  /** Called for an empty list, which may be one of an id that no project has. @throws ApiError if none has it */
  ifEmpty?: () => Promise<void>;
  /** Why items may be missing; an empty list is then undecided. */
  doubt?: () => Promise<string | null>;
}

/** Lists all projects that the key may see, newest first. */
export function listProjects(context: Context, options: ListOptions & Owned): Promise<Outcome> {
  const { api } = context;
  const by = ownedBy(options);
  return printList(context, options, {
    what: 'project',
    head: ['Slug', 'Name', 'Description', 'Repository', 'Owner', 'Labels', 'Created', 'Id'],
    cells: (one: Project) => [
      ...[one.slug, one.name, one.description, one.repo_url, one.owner, one.labels?.join(', ')],
      ...[one.created_at?.slice(0, 10), one.id],
    ],
    read: (paging) => api.listProjects({ ...paging, ...by }),
    csv: () => api.projectsCsv(by),
  });
}

/** Creates a project whose name is this slug. One that exists is not an error. @throws CliError (usage) if it is no slug */
export async function createProjectNamed({ api }: Context, slug: string): Promise<Outcome> {
  creatableSlug(projectTarget(slug));
  const [existing] = (await api.projectsBySlug(slug)).items;
  if (existing) return { exitCode: EXIT.pass, line: `EXISTS project ${slug}, nothing was changed` };
  const made = await api.createProject({ name: slug });
  return { exitCode: EXIT.pass, line: `CREATED project ${made.slug}` };
}

/** Lists the services of a project with their open vulnerabilities. */
export async function listServices(
  context: Context,
  options: ListOptions & Owned,
): Promise<Outcome> {
  const { api, settings } = context;
  const id = await projectId(api, settings.project);
  const by = ownedBy(options);
  return printList(context, options, {
    what: 'service',
    head: [
      ...['Name', 'Latest version', 'Uploaded', 'Owner', 'Labels'],
      ...['Critical', 'High', 'Medium', 'Low', 'Id'],
    ],
    cells: ({ name, latest_sbom, counts, owner, labels, id: own }) => [
      ...[name, newestOf(latest_sbom), latest_sbom?.created_at.slice(0, 16)],
      ...[owner, labels?.join(', ')],
      ...[counts.critical, counts.high, counts.medium, counts.low].map(String),
      own,
    ],
    read: async () => {
      const items = await api.listServices(id, by);
      return { items, total: items.length, has_more: false };
    },
    csv: () => api.servicesCsv(id, by),
    ifEmpty: () => expectProject(api, id),
  });
}

/** With what the counts beside it do not say: that they are of an earlier one, or how little was evaluated. */
function newestOf(newest: Service['latest_sbom']): string {
  const { version, scan_status = 'scanned', retained, coverage } = newest ?? {};
  const { components = 0, evaluated = 0 } = coverage ?? {};
  const notes = [
    scan_status !== 'scanned' && `(scan ${scan_status})`,
    retained === false && '(expired)',
    evaluated < components && `(${evaluated} of ${components} components evaluated)`,
  ];
  return [version, ...notes].filter(Boolean).join(' ');
}

async function expectProject(api: Context['api'], id: string | undefined): Promise<void> {
  if (id !== undefined) await api.project(id);
}

/** Lists accepted risks, newest first: of the set project, else of all. */
export async function listAcceptances(context: Context, options: ListOptions): Promise<Outcome> {
  const { api, settings } = context;
  const id = settings.project ? await projectId(api, settings.project) : undefined;
  return printList(context, options, {
    what: 'acceptance',
    head: ['Vulnerability', 'Package', 'Project', 'Service', 'Reason', 'Until', 'Id'],
    cells: (one: Acceptance) => [
      ...[one.cve_id, one.package_name, one.project_name, one.service_name],
      ...[one.reason, one.expires_at?.slice(0, 16) ?? 'deleted', one.id],
    ],
    read: (paging) => api.listAcceptances(id, paging),
    csv: () => api.acceptancesCsv(id),
    ifEmpty: () => expectProject(api, id),
  });
}

/**
 * Lists what is known to be exploited in a project, in any state, with the deadlines of the Cyber Resilience Act if
 * it ships products. Says why some may be missing, see `doubtOfList`; an empty list is then undecided.
 */
export async function listExploited(context: Context, options: ListOptions): Promise<Outcome> {
  const { api, settings } = context;
  const id = await projectId(api, settings.project);
  return printList(context, options, {
    what: 'exploited vulnerability',
    many: 'exploited vulnerabilities',
    head: [
      ...['Vulnerability', 'Package', 'Version', 'Status', 'Service', 'Known since'],
      ...['Warning until', 'Notification until', 'Report until'],
    ],
    cells: ({ reporting_deadlines: deadlines, ...one }: ExploitedEvidence) => [
      ...[one.cve_id, one.package_name, one.package_version, one.status, one.service_name],
      ...[one.exploited_known_at, deadlines?.early_warning, deadlines?.notification].map(minute),
      minute(deadlines?.final_report),
    ],
    read: (paging) => api.exploitedEvidence(id, paging),
    csv: () => api.exploitedEvidenceCsv(id),
    doubt: async () => {
      const { advisory_data } = await api.vulnerabilities({ project_id: id, per_page: 1 });
      return doubtOfList(api, { advisory_data, scope: { project_id: id }, riskFeeds: ['kev'] });
    },
  });
}

function minute(time: string | null | undefined): string | undefined {
  return time?.slice(0, 16);
}

/** Deletes an acceptance: the risk counts again at once. */
export async function deleteAcceptance({ api }: Context, id: string): Promise<Outcome> {
  await api.revokeAcceptance(id);
  return { exitCode: EXIT.pass, line: cleanText(`DELETED acceptance ${id}`) };
}

async function printList<Item>(
  { print }: Context,
  { limit, output }: ListOptions,
  list: List<Item>,
): Promise<Outcome> {
  const read = await readPages(output === 'csv' ? 1 : limit, list.read);
  const shown = read.items;
  if (output === 'csv') for await (const text of safeCsv(list.csv())) print(text);
  else if (output === 'json') print(jsonText(read));
  else if (shown.length > 0) {
    const rows = shown.map((item) => list.cells(item).map((cell) => cell ?? ''));
    print(`${table(list.head, rows)}\n`);
  }
  const part = output !== 'csv' && shown.length < read.total ? `, ${shown.length} shown` : '';
  const text = `${counted(read.total, list.what, list.many)}${part}`;
  if (read.total === 0) await list.ifEmpty?.();
  const doubt = (await list.doubt?.()) ?? null;
  return outcomeOfList({ total: read.total, text, doubt });
}
