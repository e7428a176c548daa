import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { usageError } from '../exit-codes';
import { writeWhole } from '../output/reports/targets';
import type { DtLists, DtVersionData } from './model';
import type { ImportReport } from './report';

/** What the import has done, by the uuid of the version. */
export interface ImportState {
  /** Address of bomtrail: a folder belongs to one server. */
  url: string;
  sboms: Record<string, string>;
  /** The report on the server; absent: none was begun. */
  import_id?: string;
}

export type ExportFolder = ReturnType<typeof openExportFolder>;

/** A uuid names files. */
const uuidShape = /^[0-9A-Za-z-]{1,64}$/;

/**
 * The folder of an import: what was downloaded, and how far the import is. Each file is written whole or not at all, so
 * an interrupted command continues with what is there.
 */
export function openExportFolder(folder: string) {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw usageError(`The folder ${folder} cannot be made: ${(error as Error).message}`);
  }
  const at = (...names: string[]): string => path.join(folder, ...names);
  const ofVersion = (uuid: string, name: string): string => {
    if (!uuidShape.test(uuid)) throw usageError(`"${uuid}" is no uuid of Dependency-Track.`);
    return at(`${uuid}.${name}.json`);
  };
  const write = (file: string, value: unknown): void => writeWhole(file, JSON.stringify(value));
  return {
    /** Null: nothing was downloaded yet. */
    lists: () => readJson<DtLists>(at('dependency-track.json')),
    writeLists: (lists: DtLists) => write(at('dependency-track.json'), lists),
    bom: (uuid: string): Buffer | null => {
      const file = ofVersion(uuid, 'bom');
      return existsSync(file) ? readFileSync(file) : null;
    },
    writeBom: (uuid: string, bytes: Uint8Array) =>
      writeWhole(ofVersion(uuid, 'bom'), Buffer.from(bytes).toString('utf8')),
    data: (uuid: string) => readJson<DtVersionData>(ofVersion(uuid, 'findings')),
    writeData: (uuid: string, data: DtVersionData) => write(ofVersion(uuid, 'findings'), data),
    state: () => readJson<ImportState>(at('import-state.json')),
    writeState: (state: ImportState) => write(at('import-state.json'), state),
    /** Returns its file. That of a dry run has its own, so that it does not replace one of an import. */
    writeReport: (report: ImportReport): string => {
      const file = at(report.dry_run ? 'dry-run.json' : 'report.json');
      writeWhole(file, `${JSON.stringify(report, null, 2)}\n`);
      return file;
    },
  };
}

/** Null if there is no such file. @throws CliError (usage) if it is not JSON */
function readJson<Value>(file: string): Value | null {
  if (!existsSync(file)) return null;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Value;
  } catch (error) {
    throw usageError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
