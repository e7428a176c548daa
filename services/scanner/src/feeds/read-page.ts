import { createHash } from 'node:crypto';
import { MATCHING_RULES_VERSION, readRecord, type OsvRecord } from '@bomtrail/osv';
import type { FeedFile } from './sources/source';
import type { AdvisoryStore, AdvisoryHeader } from './store/advisory-store';

/** A file of a feed with its bytes. */
export interface FetchedFile {
  name: string;
  bytes: Buffer;
  /** Digest over the bytes. */
  digest: string;
}

/** An advisory parsed from a file. */
export interface ReadAdvisory {
  record: OsvRecord;
  text: string;
  /** Digest over `text`. */
  fingerprint: string;
  fileDigest: string;
}

/** A file that is no readable advisory. */
export interface RejectedFile {
  name: string;
  problem: string;
  /** The id that it states, if that can be read: the file may have another name. */
  id?: string;
}

/** The parsed files of a page. */
export interface FilesRead {
  /** Ids whose files did not change. */
  unchanged: string[];
  read: Map<string, ReadAdvisory>;
  rejected: RejectedFile[];
  /** The stored advisories of the ids. */
  stored: Map<string, AdvisoryHeader>;
}

export async function fetchFile(file: FeedFile): Promise<FetchedFile | { problem: string }> {
  try {
    const bytes = await file.read();
    return { name: file.name, bytes, digest: digestOf(bytes) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

/** The id in a file name of OSV's layout. */
export function idOfName(name: string): string {
  return name.replace(/\.json$/, '');
}

/**
 * Parses the advisories of some files. Files whose bytes were already read under the current rules
 * are skipped.
 */
export async function readFiles(
  advisories: Pick<AdvisoryStore, 'findHeaders'>,
  label: string,
  files: readonly FetchedFile[],
): Promise<FilesRead> {
  const result: FilesRead = { unchanged: [], read: new Map(), rejected: [], stored: new Map() };
  result.stored = await advisories.findHeaders(files.map(({ name }) => idOfName(name)));
  for (const file of files) {
    const id = idOfName(file.name);
    if (isUnchanged(result.stored.get(id), file, label)) {
      result.unchanged.push(id);
      continue;
    }
    const read = readAdvisory(file);
    if ('problem' in read) result.rejected.push({ name: file.name, ...read });
    // Of two files with one id the newer counts.
    else if (read.record.modified >= (result.read.get(read.record.id)?.record.modified ?? ''))
      result.read.set(read.record.id, read);
  }
  const otherNames = [...result.read.keys()].filter((id) => !result.stored.has(id));
  for (const [id, stored] of await findHeadersOf(advisories, otherNames))
    result.stored.set(id, stored);
  return result;
}

async function findHeadersOf(
  advisories: Pick<AdvisoryStore, 'findHeaders'>,
  ids: string[],
): Promise<Map<string, AdvisoryHeader>> {
  return ids.length === 0 ? new Map() : advisories.findHeaders(ids);
}

function isUnchanged(
  stored: AdvisoryHeader | undefined,
  file: FetchedFile,
  label: string,
): boolean {
  return (
    stored !== undefined &&
    stored.file_digest === file.digest &&
    stored.rules === MATCHING_RULES_VERSION &&
    stored.labels.includes(label)
  );
}

function readAdvisory({ bytes, digest }: FetchedFile): ReadAdvisory | Omit<RejectedFile, 'name'> {
  let json: unknown;
  try {
    json = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    return { problem: (error as Error).message };
  }
  const read = readRecord(json);
  if (!read.ok) {
    const { id } = (json ?? {}) as { id?: unknown };
    return { problem: read.problem, ...(typeof id === 'string' && { id }) };
  }
  const text = JSON.stringify(read.record);
  return { record: read.record, text, fingerprint: digestOf(text), fileDigest: digest };
}

const digestLength = 22;

function digestOf(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('base64url').slice(0, digestLength);
}
