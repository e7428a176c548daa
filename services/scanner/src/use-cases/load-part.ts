import { createHash } from 'node:crypto';
import { readRecord, type OsvRecord } from '@bomtrail/osv';
import type { Logger } from '@bomtrail/service-kit';
import { refusalOf } from '../domain/feed-verdict';
import { mergeRecord } from '../domain/merge-record';
import type { Edition, FeedFile } from '../feeds/source';
import { matchedKeys, type AdvisoryWrite } from '../store/advisory-store';
import { markGroups, markPackages, type MarkChangesDeps } from './mark-changes';

export interface LoadPartDeps extends MarkChangesDeps {
  log: Logger;
}

/** What the load of one part works on. */
export interface PartLoad {
  label: string;
  edition: Edition;
  /** The revision with which the changes come into force. */
  revision: number;
  /** Whether package versions may have been judged by what is held now. */
  marked: boolean;
  /** Whether an edition of the same source is held, so that a much smaller one is a broken one. */
  sameOrigin: boolean;
  signal: AbortSignal;
}

export interface PartResult {
  records: number;
  rejected: number;
  /** Advisories written or removed. */
  changed: number;
  /** Why the edition does not count as loaded, null when it does. */
  error: string | null;
}

interface ReadAdvisory {
  record: OsvRecord;
  text: string;
  fingerprint: string;
}

const recordsPerWrite = 500;
/** A page of records ends here too: some list thousands of versions. */
const textPerWrite = 8 * 1024 * 1024;
/** Rejected records that get a log line of their own. */
const rejectedLines = 20;

/**
 * Loads one edition of a part of a feed. One bad record never stops it: it is counted, logged by its
 * name, and what is held of it stays. Records that the edition does not have any more are removed,
 * unless the edition looks broken.
 */
export async function loadPart(deps: LoadPartDeps, part: PartLoad): Promise<PartResult> {
  const { label, edition } = part;
  const held = part.sameOrigin ? await deps.advisories.countByLabel(label) : 0;
  const refused = refusalOf({ found: edition.count, held });
  if (refused) return { records: 0, rejected: 0, changed: 0, error: refused };

  const seen = new Set<string>();
  const result: PartResult = { records: 0, rejected: 0, changed: 0, error: null };
  let page = new Map<string, ReadAdvisory>();
  let size = 0;
  const flush = async (): Promise<void> => {
    part.signal.throwIfAborted();
    result.changed += await writePage(deps, part, page);
    page = new Map();
    size = 0;
  };
  for await (const file of edition.files()) {
    const read = await readAdvisory(file);
    if ('problem' in read) {
      result.rejected += 1;
      seen.add(file.name.replace(/\.json$/, ''));
      logRejected(deps.log, { label, name: file.name, problem: read.problem }, result.rejected);
      continue;
    }
    seen.add(read.record.id);
    result.records += 1;
    page.set(read.record.id, read);
    size += read.text.length;
    if (page.size >= recordsPerWrite || size >= textPerWrite) await flush();
  }
  await flush();

  result.error = refusalOf({ found: result.records, held });
  if (result.error) return result;
  result.changed += await removeVanished(deps, part, (id) => !seen.has(id));
  return result;
}

/** Takes a part's label from the advisories that are gone from it, and removes those that no other part holds. */
export async function removeVanished(
  deps: MarkChangesDeps,
  part: Pick<PartLoad, 'label' | 'revision' | 'marked' | 'signal'>,
  isGone: (id: string) => boolean,
): Promise<number> {
  const { label, revision } = part;
  const unlabelled: string[] = [];
  const removed: { id: string; affects: string[]; group: string }[] = [];
  for await (const { _id, labels, affects, group } of deps.advisories.listByLabel(label)) {
    if (!isGone(_id)) continue;
    if (labels.length > 1) unlabelled.push(_id);
    else removed.push({ id: _id, affects, group });
  }
  part.signal.throwIfAborted();
  if (unlabelled.length > 0) await deps.advisories.removeLabel(unlabelled, label);
  if (removed.length === 0) return 0;
  if (part.marked) {
    await markPackages(
      deps,
      removed.flatMap(({ affects }) => affects),
      revision,
    );
    await markGroups(
      deps,
      removed.map(({ group }) => group),
      revision,
    );
  }
  await deps.advisories.removeHeldOnlyBy(
    removed.map(({ id }) => id),
    label,
  );
  return removed.length;
}

async function readAdvisory(file: FeedFile): Promise<ReadAdvisory | { problem: string }> {
  let json: unknown;
  try {
    json = JSON.parse((await file.read()).toString('utf8'));
  } catch (error) {
    return { problem: (error as Error).message };
  }
  const read = readRecord(json);
  if (!read.ok) return { problem: read.problem };
  const text = JSON.stringify(read.record);
  const fingerprint = createHash('sha256').update(text).digest('base64url').slice(0, 22);
  return { record: read.record, text, fingerprint };
}

/** Gives the number of advisories whose content counts from now on. */
async function writePage(
  deps: LoadPartDeps,
  part: PartLoad,
  page: ReadonlyMap<string, ReadAdvisory>,
): Promise<number> {
  const held = await deps.advisories.findHeld([...page.keys()]);
  const writes: AdvisoryWrite[] = [];
  const adopted: string[] = [];
  const packages: string[] = [];
  for (const [id, { record, text, fingerprint }] of page) {
    const before = held.get(id) ?? null;
    const incoming = { modified: record.modified, fingerprint, label: part.label };
    const decision = mergeRecord(before, incoming);
    if (decision === 'adopt') adopted.push(id);
    if (decision !== 'write') continue;
    const labels = [...new Set([...(before?.labels ?? []), part.label])];
    writes.push({ record, text, fingerprint, labels, group: before?.group ?? id });
    packages.push(...matchedKeys(record), ...(before?.affects ?? []));
  }
  if (part.marked) await markPackages(deps, packages, part.revision);
  await deps.advisories.write(writes, part.revision);
  await deps.advisories.addLabel(adopted, part.label);
  return writes.length;
}

function logRejected(
  log: Logger,
  rejected: { label: string; name: string; problem: string },
  count: number,
): void {
  const level = count <= rejectedLines ? 'warn' : 'debug';
  log[level](rejected, 'An advisory could not be read and is left out; the others are loaded.');
}
