import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { VexFormat } from '@bomtrail/api-client';
import type { Context, Outcome } from '../context';
import { EXIT, usageError } from '../exit-codes';
import { projectId } from '../gate/project-target';
import { cleanText, jsonText } from '../output/clean-text';
import { writeWhole } from '../output/reports/targets';
import { scopeOf } from './scope-of';

/** Maximum reasons in the summary line. */
const maxReasons = 3;

/**
 * Imports a VEX document into the project, if one is set, else into all projects.
 *
 * @param file relative to `folder`
 * @throws CliError (usage) when the file cannot be read
 */
export async function importVex(
  { api, settings, print }: Context,
  { file, folder, json }: { file: string; folder: string; json: boolean },
): Promise<Outcome> {
  const bytes = await readFile(path.resolve(folder, file)).catch((error: Error) => {
    throw usageError(`${file} cannot be read: ${error.message}.`);
  });
  const project_id = settings.project && (await projectId(api, settings.project));
  const stored = await api.importVex(bytes, project_id || undefined);
  if (json) print(jsonText(stored));
  const reasons = Object.entries(stored.not_applied).sort(([, a], [, b]) => b - a);
  const named = reasons.slice(0, maxReasons).map(([reason, count]) => `${count} ${reason}`);
  const others = named.length === 0 ? '' : `; not applied: ${named.join(', ')}`;
  const pending =
    stored.pending_services === 0 ? '' : `, ${stored.pending_services} services pending`;
  const line = `IMPORTED ${stored.document_id} version ${stored.version}: ${stored.applied} of ${stored.statements} statements apply${others}${pending}`;
  return { exitCode: EXIT.pass, line: cleanText(line) };
}

/** The formats that `bomtrail vex export` writes. */
export const vexFormats = ['openvex', 'cyclonedx', 'csaf'] as const satisfies readonly VexFormat[];

/**
 * Exports the decisions of the set project, or of one service or SBOM in it, to standard output or a file.
 *
 * @param file relative to `folder`; absent: standard output
 * @throws CliError (usage) without a project, or when the file cannot be written
 */
export async function exportVex(
  context: Context,
  given: { format: VexFormat; sbom?: string; file?: string; folder: string },
): Promise<Outcome> {
  const { api, settings, print } = context;
  const { format, sbom, file, folder } = given;
  const project_id = await projectId(api, settings.project);
  const { service_id } = await scopeOf(context);
  const text = jsonText(await api.exportVex(project_id, { format, service_id, sbom_id: sbom }));
  if (file === undefined) print(text);
  else writeWhole(path.resolve(folder, file), text);
  const what = sbom === undefined ? '' : `, SBOM ${sbom}`;
  const line = `EXPORTED decisions of ${settings.project}${what} as ${format}`;
  return { exitCode: EXIT.pass, line: cleanText(line) };
}
