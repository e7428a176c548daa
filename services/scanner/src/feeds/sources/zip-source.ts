import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { MATCHED_ECOSYSTEMS } from '@bomtrail/osv';
import { statFile, wholeEdition } from './folder-source';
import type { AdvisorySource, Opened, SourcePart } from './source';
import { makeTemporaryFolder } from './temporary-folder';
import { advisoryFiles, openAdvisoryZip, openZip, type ZipArchive } from './zip-archive';

/** Label of a zip with the advisories of all ecosystems at its root. */
const mixedLabel = 'all';

/**
 * Creates a source from one zip file that contains `<ecosystem>/all.zip`, `<ecosystem>/*.json`, or
 * the advisories of all ecosystems at its root.
 */
export function createZipSource(file: string): AdvisorySource {
  return {
    origin: file,
    isLive: false,
    async list() {
      const zip = await openZip(file);
      try {
        return await partsOf(file, zip);
      } finally {
        await zip.close();
      }
    },
  };
}

async function partsOf(file: string, zip: ZipArchive): Promise<SourcePart[]> {
  const counts = new Map<string, number>();
  const zipped = new Set<string>();
  let atRoot = 0;
  for await (const { path } of zip.entries()) {
    const [folder = '', name, ...deeper] = path.split('/');
    if (name === undefined && path.endsWith('.json')) atRoot += 1;
    if (name === undefined || deeper.length > 0) continue;
    if (name === 'all.zip') zipped.add(folder);
    else if (name.endsWith('.json')) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const parts = MATCHED_ECOSYSTEMS.flatMap((ecosystem): SourcePart[] => {
    const covers = [ecosystem];
    if (zipped.has(ecosystem))
      return [
        {
          label: ecosystem,
          covers,
          open: ({ fingerprint }) => openNested(file, ecosystem, fingerprint),
        },
      ];
    const count = counts.get(ecosystem);
    if (count === undefined) return [];
    return [
      {
        label: ecosystem,
        covers,
        open: ({ fingerprint }) => openPlain(file, { folder: ecosystem, count }, fingerprint),
      },
    ];
  });
  if (parts.length > 0 || atRoot === 0) return parts;
  const root = { folder: null, count: atRoot };
  const covers = [...MATCHED_ECOSYSTEMS];
  return [
    { label: mixedLabel, covers, open: ({ fingerprint }) => openPlain(file, root, fingerprint) },
  ];
}

async function openPlain(
  file: string,
  location: { folder: string | null; count: number },
  known: string | null,
): Promise<Opened> {
  const current = await statFile(file);
  if (current.fingerprint === known) return 'unchanged';
  const zip = await openAdvisoryZip(file);
  return {
    ...wholeEdition(current),
    count: location.count,
    files: () => advisoryFiles(zip, location.folder),
    close: () => zip.close(),
  };
}

async function openNested(file: string, ecosystem: string, known: string | null): Promise<Opened> {
  const current = await statFile(file);
  if (current.fingerprint === known) return 'unchanged';
  const folder = await makeTemporaryFolder();
  try {
    const inner = join(folder, 'all.zip');
    await extractOne(file, `${ecosystem}/all.zip`, inner);
    const zip = await openAdvisoryZip(inner);
    return {
      ...wholeEdition(current),
      count: zip.count,
      files: () => advisoryFiles(zip, null),
      close: async () => {
        await zip.close();
        await rm(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

async function extractOne(file: string, path: string, target: string): Promise<void> {
  const zip = await openZip(file);
  try {
    for await (const entry of zip.entries()) {
      if (entry.path === path) return await entry.extract(target);
    }
    throw new Error(`${path} is no longer in the zip file`);
  } finally {
    await zip.close();
  }
}
