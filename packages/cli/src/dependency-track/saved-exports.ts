import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../exit-codes';
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
 * @throws CliError (usage) if the files cannot be read, or there is no SBOM
 */
export function readSavedExports(exports: string, folder: ExportFolder): DtLists {
  const files = filesOf(exports);
  const boms = files.filter((one): one is Found<BomExport> => isBom(one.json));
  const findings = files.filter((one): one is Found<FindingsExport> => isFindings(one.json));
  if (boms.length === 0)
    throw usageError(`${exports} has no SBOM; save one as CycloneDX JSON for each version.`);
  const projects: DtProject[] = boms.map(({ file, json, bytes }, order) => {
    const { name = '', version } = json.metadata?.component ?? {};
    if (name === '')
      throw usageError(`${file} does not name its project in metadata.component.name.`);
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

function filesOf(exports: string): Found<unknown>[] {
  try {
    const names = readdirSync(exports).filter((name) => name.endsWith('.json'));
    return names.sort().map((name) => {
      const bytes = readFileSync(path.join(exports, name));
      return { file: name, bytes, json: JSON.parse(bytes.toString('utf8')) as unknown };
    });
  } catch (error) {
    throw usageError(`${exports} cannot be read: ${(error as Error).message}`);
  }
}

function isBom(json: unknown): json is BomExport {
  return (json as BomExport | null)?.bomFormat === 'CycloneDX';
}

function isFindings(json: unknown): json is FindingsExport {
  const { meta, project } = (json ?? {}) as Partial<FindingsExport>;
  return meta?.application === 'Dependency-Track' && typeof project?.uuid === 'string';
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
