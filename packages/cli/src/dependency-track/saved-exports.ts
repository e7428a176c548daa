import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CliError, usageError } from '../exit-codes';
import type { ExportFolder } from './export-folder';
import type { DtFinding, DtLists, DtProject } from './model';

/** A findings export (FPF) of a project, in every version of the format. */
interface FindingsExport {
  meta?: { application?: string; version?: string };
  project: { uuid: string; name: string; version?: string };
  findings?: DtFinding[] | null;
}

/** An inventory or VDR export. */
interface BomExport {
  bomFormat: 'CycloneDX';
  components?: unknown[];
  vulnerabilities?: unknown[];
  metadata?: { component?: { name?: string; version?: string } };
}

interface Found<Json> {
  file: string;
  bytes: Buffer;
  json: Json;
}

/**
 * Reads files that were saved from Dependency-Track's page into the folder of an import: SBOMs ("Download BOM") and
 * findings ("Export", FPF), which belong together by name and version of the project. Exports do not say when an SBOM
 * was uploaded, so versions are in the order of their files' names.
 *
 * @param say is told which files are left out
 * @throws CliError (usage) if the files cannot be read, there is no SBOM, there are two of one version, or the folder
 * has what was read from a server
 */
export function readSavedExports(
  exports: string,
  folder: ExportFolder,
  say: (line: string) => void,
): DtLists {
  const { from } = folder.lists() ?? {};
  if (from !== undefined)
    throw usageError(`The folder has what was read from ${from}; give another --folder.`);
  const files = filesOf(exports);
  const boms = files.filter((one): one is Found<BomExport> => isBom(one.json));
  const findings = files.filter((one): one is Found<FindingsExport> => isFindings(one.json));
  if (boms.length === 0)
    throw usageError(`${exports} has no SBOM; save one as CycloneDX JSON for each version.`);
  for (const { file, json } of files)
    if (!isBom(json) && !isFindings(json))
      say(`${file} is left out: it is neither an SBOM nor findings of Dependency-Track, as JSON.`);
  const fileOf = new Map<string, string>();
  const projects: DtProject[] = boms.map(({ file, json, bytes }, order) => {
    const { name = '', version } = json.metadata?.component ?? {};
    if (name === '')
      throw usageError(`${file} does not name its project in metadata.component.name.`);
    const named = `${name} ${version ?? ''}`.trim();
    const other = fileOf.get(named);
    if (other !== undefined)
      throw usageError(`${other} and ${file} are both an SBOM of ${named}; keep the inventory.`);
    fileOf.set(named, file);
    const own = findings.filter(
      ({ json: { project } }) =>
        project.name === name && (project.version ?? '') === (version ?? ''),
    );
    const uuid = own[0]?.json.project.uuid ?? hashOf(`${name}\n${version ?? ''}`);
    folder.writeBom(uuid, bytes);
    folder.writeData(uuid, {
      findings: own.flatMap(({ json: { findings: rows } }) => rows ?? []),
      analyses: {},
    });
    return { uuid, name, ...(version !== undefined && { version }), lastBomImport: order };
  });
  const named = new Set(projects.map(({ uuid }) => uuid));
  const alone = findings.flatMap(({ json: { project } }) =>
    named.has(project.uuid) ? [] : project,
  );
  const version = findings[0]?.json.meta?.version ?? 'saved exports';
  const lists = { version, projects: [...projects, ...alone], policies: null };
  folder.writeLists(lists);
  return lists;
}

/** Files that are no JSON by their names have null. */
function filesOf(exports: string): Found<unknown>[] {
  try {
    const entries = readdirSync(exports, { withFileTypes: true });
    const names = entries.filter((one) => !one.isDirectory() && !one.name.startsWith('.'));
    return names.map(({ name }) => foundIn(exports, name)).sort(byFile);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw usageError(`${exports} cannot be read: ${(error as Error).message}`);
  }
}

function foundIn(exports: string, file: string): Found<unknown> {
  const bytes = readFileSync(path.join(exports, file));
  if (!file.endsWith('.json')) return { file, bytes, json: null };
  try {
    return { file, bytes, json: JSON.parse(new TextDecoder().decode(bytes)) as unknown };
  } catch (error) {
    throw usageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function byFile({ file: one }: Found<unknown>, { file: other }: Found<unknown>): number {
  return one < other ? -1 : 1;
}

/** A VEX document has vulnerabilities without components. */
function isBom(json: unknown): json is BomExport {
  const { bomFormat, components = [], vulnerabilities = [] } = (json ?? {}) as Partial<BomExport>;
  return bomFormat === 'CycloneDX' && (components.length > 0 || vulnerabilities.length === 0);
}

function isFindings(json: unknown): json is FindingsExport {
  const { meta, project } = (json ?? {}) as Partial<FindingsExport>;
  return meta?.application === 'Dependency-Track' && typeof project?.uuid === 'string';
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
