import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ApiError } from '@bomtrail/api-client';
import type { Context, Outcome } from '../context';
import { download, listsToImport } from '../dependency-track/download';
import { createDtrackApi } from '../dependency-track/dtrack-api';
import { openExportFolder, type ExportFolder } from '../dependency-track/export-folder';
import { importService } from '../dependency-track/import-service';
import { mapPolicies } from '../dependency-track/map-policies';
import type { DtLists } from '../dependency-track/model';
import { foldedName, planServices, type ServicePlan } from '../dependency-track/plan-services';
import { readSavedExports } from '../dependency-track/saved-exports';
import {
  emptyReport,
  summaryOf,
  type ImportReport,
  type LeftOut,
  type ServiceReport,
} from '../dependency-track/report';
import { openServerReport } from '../dependency-track/server-report';
import { EXIT, usageError } from '../exit-codes';
import { cleanText, counted } from '../output/clean-text';
import { table } from '../output/table';
import { maxPageSize } from './max-page-size';

/** Maximum wait for the scan of a newest version. */
const waitMs = 600_000;

export interface ImportOptions {
  /** Address of Dependency-Track's API server; absent: only what the folder has. */
  from: string | undefined;
  /** Folder with files saved from its page, instead of a server. */
  exports: string | undefined;
  /** File with its API key; absent: `key`. */
  keyFile: string | undefined;
  /** The key in the environment. */
  key: string | undefined;
  /** For downloads and state. */
  folder: string;
  dryRun: boolean;
}

/**
 * Copies projects, versions, SBOMs and decisions of Dependency-Track. Repeating an interrupted call continues it.
 *
 * @throws CliError, ApiError
 */
export async function importDependencyTrack(
  context: Context,
  options: ImportOptions,
): Promise<Outcome> {
  if (options.from !== undefined && options.exports !== undefined)
    throw usageError('Give --from or --exports, not both.');
  const folder = openExportFolder(path.resolve(options.folder));
  context.setInterruptMessage(
    'Repeat the command to continue the import; nothing is imported twice.',
  );
  const { version, projects, policies } = await listsOf(context, options, folder);
  const { services, skipped } = planServices(projects);
  const left: LeftOut = {
    skipped: skipped.map(({ project, reason }) => ({
      name: project.name,
      version: project.version ?? '',
      uuid: project.uuid,
      reason,
    })),
    policies: mapPolicies(policies ?? []),
    policies_readable: policies !== null,
  };
  const report: ImportReport = {
    dependency_track: version,
    dry_run: options.dryRun,
    services: options.dryRun
      ? services.map(emptyReport)
      : await importServices(context, folder, { services, version, ...left }),
    ...left,
  };
  const file = folder.writeReport(report);
  printServices(context, report);
  const failed = report.services.reduce((sum, { refused }) => sum + refused.length, 0);
  const refused = failed === 0 ? '' : `; ${counted(failed, 'SBOM')} refused`;
  const line = cleanText(`${summaryOf(report)}${refused}; see ${file}`);
  return { exitCode: failed === 0 ? EXIT.pass : EXIT.undecided, line };
}

async function importServices(
  context: Context,
  folder: ExportFolder,
  plan: { services: readonly ServicePlan[]; version: string } & LeftOut,
): Promise<ServiceReport[]> {
  const { url } = context.settings;
  const state = folder.state() ?? { url, sboms: {} };
  if (state.url !== url)
    throw usageError(`The folder belongs to an import into ${state.url}; give another --folder.`);
  const server = await openServerReport(context, { folder, state, version: plan.version });
  try {
    const ids = await projectIds(context);
    const reports: ServiceReport[] = [];
    for (const service of plan.services) {
      const folded = foldedName(service.project);
      const projectId = ids.get(folded) ?? (await createProject(context, service.project));
      ids.set(folded, projectId);
      const deps = { context, folder, state, projectId, waitMs, server };
      const report = await importService(deps, service);
      reports.push(report);
      await server.service(report, projectId);
      const versions = counted(service.versions.length, 'version');
      context.say(`${service.project}/${service.service}: ${versions} imported.`);
    }
    await server.finished(plan);
    return reports;
  } catch (error) {
    await server.failed(error);
    throw error;
  }
}

function printServices({ print }: Context, { services, dry_run }: ImportReport): void {
  if (services.length === 0) return;
  const head = ['Project', 'Service', 'Versions', 'Findings', 'Decisions'];
  const rows = services.map((one) => [
    one.project,
    one.service,
    ...(dry_run
      ? [String(one.versions), '', '']
      : [
          `${one.uploaded} of ${one.versions}`,
          `${one.findings_here} (there ${one.findings_there})`,
          `${one.decided} (there ${one.analyses})`,
        ]),
  ]);
  print(`${table(head, rows)}\n`);
}

async function listsOf(
  { fetch, say }: Context,
  { from, exports, keyFile, key, dryRun }: ImportOptions,
  folder: ExportFolder,
): Promise<DtLists> {
  if (exports !== undefined) return readSavedExports(path.resolve(exports), folder, say);
  if (from === undefined) {
    const lists = folder.lists();
    if (!lists)
      throw usageError(
        'The folder has no download yet; give --from, the address of the server, or --exports.',
      );
    const versions = planServices(lists.projects).services.flatMap((one) => one.versions);
    const missing = versions.filter(({ uuid }) => folder.data(uuid) === null).length;
    // Without its findings a version would be imported as if nobody had analysed any.
    if (missing > 0 && lists.from !== undefined)
      throw usageError(
        `The folder lacks ${missing} of ${counted(versions.length, 'version')}: its download was interrupted. Repeat it with --from ${lists.from}.`,
      );
    return lists;
  }
  if (!/^https?:\/\//i.test(from) || !URL.canParse(from))
    throw usageError(`from: "${from}" is no http:// or https:// URL.`);
  const apiKey = (keyFile === undefined ? key : readKey(keyFile))?.trim();
  if (!apiKey)
    throw usageError(
      'No key of Dependency-Track: set DEPENDENCY_TRACK_API_KEY or give --dtrack-api-key-file.',
    );
  const api = createDtrackApi({ url: from.replace(/\/+(api\/?)?$/, ''), apiKey, fetch });
  return (dryRun ? listsToImport : download)(api, folder, say);
}

function readKey(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw usageError(`dtrack-api-key-file: ${(error as Error).message}`);
  }
}

/** Ids by folded name. */
async function projectIds({ api }: Context): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (let page = 1; ; page += 1) {
    const read = await api.listProjects({ page, per_page: maxPageSize });
    for (const { id, name } of read.items) ids.set(foldedName(name), id);
    if (!read.has_more) return ids;
  }
}

async function createProject({ api }: Context, name: string): Promise<string> {
  try {
    return (await api.createProject({ name })).id;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'insufficient_scope') throw error;
    throw usageError(
      'The import creates projects and decisions: use a key with the scopes read, upload and write.',
    );
  }
}
