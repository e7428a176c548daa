import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ecosystemsIn, recordsIn } from './real-records';
import { createZipWriter } from './zip-writer';

/** What a generated feed consists of. */
export interface GeneratedFeed {
  folder: string;
  records: number;
  /** Size of all records, unpacked. */
  bytes: number;
}

interface Names {
  id?: string;
  aliases?: string[];
  upstream?: string[];
  related?: string[];
  affected?: { package?: { name?: string } }[];
}

/**
 * Writes a feed of many records: each real record so many times, as its own advisory of its own
 * package. Sizes, versions, ranges and aliases are distributed as in the real ones, because they are
 * theirs. The same input gives the same feed; memory holds one record and the directory of a zip.
 *
 * @param real a folder in OSV's bulk layout
 * @param records how many there are to be; ecosystem by ecosystem the share is that of the real ones
 */
export async function generateFeed(
  real: string,
  target: string,
  wanted: { records: number; realRecords: number },
): Promise<GeneratedFeed> {
  const feed = { folder: target, records: 0, bytes: 0 };
  const copies = Math.ceil(wanted.records / wanted.realRecords);
  const share = wanted.records / (wanted.realRecords * copies);
  for (const ecosystem of ecosystemsIn(real)) {
    mkdirSync(join(target, ecosystem), { recursive: true });
    const zip = createZipWriter(join(target, ecosystem, 'all.zip'));
    let pendingRescans = 0;
    for await (const { name, bytes } of recordsIn(join(real, ecosystem, 'all.zip'))) {
      const text = bytes.toString('utf8');
      for (let copy = 0; copy < copies; copy += 1) {
        pendingRescans += share;
        if (pendingRescans < 1) continue;
        pendingRescans -= 1;
        const made = copyOf(text, copy);
        await zip.add(name.replace(/\.json$/, `-${copy}.json`), made);
        feed.records += 1;
        feed.bytes += made.length;
      }
    }
    await zip.close();
  }
  return feed;
}

/** The record under other names; one that is no JSON stays as it is. */
function copyOf(text: string, copy: number): Buffer {
  let record: Names;
  try {
    record = JSON.parse(text) as Names;
  } catch {
    return Buffer.from(text);
  }
  const renamed = (names: string[] | undefined) => names?.map((name) => `${name}-${copy}`);
  if (typeof record.id === 'string') record.id = `${record.id}-${copy}`;
  for (const key of ['aliases', 'upstream', 'related'] as const)
    if (Array.isArray(record[key])) record[key] = renamed(record[key]);
  for (const { package: named } of record.affected ?? [])
    if (typeof named?.name === 'string') named.name = `${named.name}-${copy}`;
  return Buffer.from(JSON.stringify(record));
}

/** Writes a zip anew: as it was, or with one record that was modified now. */
export async function rewriteZip(file: string, target: string, change: boolean): Promise<void> {
  const zip = createZipWriter(target);
  let isFirst = true;
  for await (const { name, bytes } of recordsIn(file)) {
    const isChanged = isFirst && change;
    isFirst = false;
    await zip.add(name, isChanged ? modified(bytes) : bytes);
  }
  await zip.close();
}

function modified(bytes: Buffer): Buffer {
  const record = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>;
  record['modified'] = new Date().toISOString();
  record['details'] =
    `${String(record['details'] ?? '')} Changed at ${String(record['modified'])}.`;
  return Buffer.from(JSON.stringify(record));
}
