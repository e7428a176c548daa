import { usageError } from '../exit-codes';
import { inParallel } from '../gate/in-parallel';
import type { DtrackApi } from './dtrack-api';
import type { ExportFolder } from './export-folder';
import { isAnalysed } from './map-analysis';
import { analysisKey, type DtAnalysis, type DtLists, type DtProject } from './model';
import { planServices } from './plan-services';

/** Requests to Dependency-Track at the same time. */
const atOnce = 4;

/**
 * Downloads projects, SBOMs, findings and analyses into the folder. What is there already is not read again, so the
 * import does not change while Dependency-Track does, and a repeated upload has the same bytes.
 *
 * @throws CliError
 */
export async function download(
  api: DtrackApi,
  folder: ExportFolder,
  say: (line: string) => void,
): Promise<DtLists> {
  const lists = await listsToImport(api, folder, say);
  folder.writeLists(lists);
  const versions = planServices(lists.projects).services.flatMap((one) => one.versions);
  let done = 0;
  await inParallel(versions, atOnce, async (version) => {
    await downloadVersion(api, folder, version);
    done += 1;
    if (done % 50 === 0) say(`Downloaded ${done} of ${versions.length} versions.`);
  });
  return lists;
}

/** Those of the folder, else of the server: what an import of this folder imports. */
export async function listsToImport(
  api: DtrackApi,
  folder: ExportFolder,
  say: (line: string) => void,
): Promise<DtLists> {
  return startedLists(api, folder, say) ?? (await readLists(api));
}

/** Those of the download that this one continues; null: it is the first. */
function startedLists(
  { url }: DtrackApi,
  folder: ExportFolder,
  say: (line: string) => void,
): DtLists | null {
  const lists = folder.lists();
  if (lists === null) return null;
  if (lists.from !== url)
    throw usageError(
      `The folder has what was read from ${lists.from ?? 'saved exports'}; give another --folder.`,
    );
  say(
    'Continues with what the folder has: what changed in Dependency-Track since then is not read.',
  );
  return lists;
}

async function readLists(api: DtrackApi): Promise<DtLists> {
  const version = await api.version();
  return { from: api.url, version, projects: await api.projects(), policies: await api.policies() };
}

async function downloadVersion(
  api: DtrackApi,
  folder: ExportFolder,
  { uuid }: DtProject,
): Promise<void> {
  if (folder.bom(uuid) === null) {
    const bom = await api.bom(uuid);
    if (bom !== null) folder.writeBom(uuid, bom);
  }
  if (folder.data(uuid) !== null) return;
  const findings = await api.findings(uuid);
  const analyses: Record<string, DtAnalysis> = {};
  await inParallel(findings.filter(isAnalysed), atOnce, async (finding) => {
    const analysis = await api.analysis(uuid, finding);
    if (analysis !== null) analyses[analysisKey(finding)] = analysis;
  });
  folder.writeData(uuid, { findings, analyses });
}
