import {
  AppError,
  deleteVex,
  importVex,
  listVex,
  maxVexBytes,
  type VexDocumentView,
} from '@bomtrail/messages';
import { gzip, type Request } from '@bomtrail/messaging';
import type { Logger } from '@bomtrail/telemetry';
import type { Held } from '../work/under-lease';
import {
  blankVexSource,
  checkSize,
  nextPoll,
  type VexSourceDocument,
  type VexSourceState,
} from './domain/vex-source-state';
import type { ReadDocument, VexEntry, VexList, VexSource, VexSourceStore } from './ports';

/** Longest time between two looks at a folder. */
const folderMs = 60_000;
/** Maximum documents of a source. */
const maxDocuments = 20_000;
const perPage = 200;

export interface PollVexSourceDeps {
  log: Logger;
  request: Request;
  vexSourceStore: VexSourceStore;
  /** Between two polls of a source. */
  vexIntervalMs: number;
}

/** Outcomes of an import that concern the document alone, so that the others are still imported. */
const ofDocument: readonly string[] = [
  'malformed_json',
  'unsupported_vex_format',
  'invalid_vex',
  'vex_outdated',
  'too_many_vex_statements',
  'payload_too_large',
];

/** Of these those that end when another document is withdrawn. */
const untilAnotherIsGone: readonly string[] = ['vex_outdated', 'too_many_vex_statements'];

const tooLarge = `The document has more than ${maxVexBytes} bytes.`;

/** A document of the source with the list that has it. */
interface Listed extends VexEntry {
  list: string;
}

/**
 * Polls a source: imports what is new or changed for all projects, and withdraws what the source has no more. A failure
 * leaves what was imported and is recorded; the caller holds the lease.
 *
 * @returns the number of documents that were imported or withdrawn
 */
export async function pollVexSource(
  deps: PollVexSourceDeps,
  source: VexSource,
  { stored, ...held }: { stored: VexSourceState | undefined } & Held,
): Promise<number> {
  const state = stored ?? blankVexSource(source.origin);
  const now = new Date();
  const intervalMs = source.isLocal ? Math.min(folderMs, deps.vexIntervalMs) : deps.vexIntervalMs;
  let { shrunk, unfinished } = state;
  try {
    const known = await deps.vexSourceStore.documents(source.origin);
    const readBefore = unfinished ? [] : state.lists;
    const fingerprints = new Map(readBefore.map((one) => [one.name, one.fingerprint]));
    const lists = await source.lists(fingerprints, held.signal);
    const listed = listedIn(lists, known);
    const size = checkSize(state, listed.length, now);
    ({ shrunk } = size);
    if (size.error !== null) throw new Error(size.error);
    if (listed.length > maxDocuments) throw new Error(`it has more than ${maxDocuments} documents`);
    held.assertHeld();
    unfinished = true;
    await deps.vexSourceStore.save({ ...state, unfinished });
    let changed = await followDocuments(deps, source, { listed, known, held });
    held.assertHeld();
    if (state.unfinished) changed += await withdrawUnrecorded(deps, source.origin);
    held.assertHeld();
    await deps.vexSourceStore.save({
      ...blankVexSource(source.origin),
      lists: lists.flatMap(({ name, fingerprint }) =>
        fingerprint === null ? [] : [{ name, fingerprint }],
      ),
      documents: listed.length,
      checked_at: new Date(),
      next_at: nextPoll(0, intervalMs, now),
    });
    if (changed > 0)
      deps.log.info({ documents: listed.length, changed }, 'Loaded a source of VEX documents.');
    return changed;
  } catch (error) {
    held.assertHeld();
    const reason = (error as Error).message;
    const failures = state.failures + 1;
    const next_at = nextPoll(failures, intervalMs, now);
    const failed = { error: reason, failed_at: new Date(), failures, next_at, shrunk, unfinished };
    await deps.vexSourceStore.save({ ...state, ...failed });
    deps.log.warn(
      { reason },
      `A source of VEX documents could not be loaded: ${reason}. The documents loaded before stay in force. Check BOMTRAIL_VEX_SOURCES; loading will be retried.`,
    );
    return 0;
  }
}

/** Withdraws everything of a source that is not watched any more. */
export async function dropVexSource(
  deps: Pick<PollVexSourceDeps, 'request' | 'vexSourceStore'>,
  origin: string,
): Promise<number> {
  const known = await deps.vexSourceStore.documents(origin);
  for (const document of known) await withdraw(deps, document);
  const unrecorded = await withdrawUnrecorded(deps, origin);
  await deps.vexSourceStore.removeState(origin);
  return known.length + unrecorded;
}

/** The documents of all lists, each once; those of an unchanged list as they are known. */
function listedIn(lists: readonly VexList[], known: readonly VexSourceDocument[]): Listed[] {
  const all = lists.flatMap(({ name: list, entries }): Listed[] =>
    entries === 'unchanged'
      ? known.filter((one) => one.list === list).map(({ key, stamp }) => ({ key, stamp, list }))
      : entries.map((entry) => ({ ...entry, list })),
  );
  return [...new Map(all.map((one) => [one.key, one])).values()];
}

async function followDocuments(
  deps: PollVexSourceDeps,
  source: VexSource,
  given: { listed: readonly Listed[]; known: readonly VexSourceDocument[]; held: Held },
): Promise<number> {
  const { listed, known, held } = given;
  const byKey = new Map(known.map((one) => [one.key, one]));
  let changed = 0;
  for (const entry of listed) {
    held.assertHeld();
    const before = byKey.get(entry.key);
    byKey.delete(entry.key);
    const isSame = before && entry.stamp !== null && before.stamp === entry.stamp;
    if (!isSame && (await followDocument(deps, source, { entry, held }))) changed += 1;
  }
  // Last, so that a document that was moved is not withdrawn in between.
  for (const gone of byKey.values()) {
    held.assertHeld();
    await withdraw(deps, gone);
  }
  return changed + byKey.size;
}

/** @returns whether something was imported or withdrawn */
async function followDocument(
  deps: PollVexSourceDeps,
  source: VexSource,
  { entry, held }: { entry: Listed; held: Held },
): Promise<boolean> {
  // Another document of this poll may have replaced it.
  const before = await deps.vexSourceStore.document({ origin: source.origin, key: entry.key });
  const read = await source.read(entry.key, before?.fingerprint ?? null, held.signal);
  held.assertHeld();
  const place = { origin: source.origin, ...entry };
  if (read === 'absent') {
    if (before) await withdraw(deps, before);
    return before !== null;
  }
  if (read === 'unchanged') {
    if (before) await deps.vexSourceStore.put({ ...before, ...place });
    return false;
  }
  const { content, fingerprint } = read;
  const { vex_id = null, sha256 = null } = before ?? {};
  const next = { ...place, fingerprint, vex_id, sha256 };
  const outcome = await importDocument(deps, source.origin, content);
  if ('error' in outcome) {
    const again = outcome.isFinal ? {} : { stamp: null, fingerprint: null };
    await deps.vexSourceStore.put({ ...next, ...again, error: outcome.error });
    return false;
  }
  const accepted = { ...next, vex_id: outcome.id, sha256: outcome.sha256, error: null };
  await deps.vexSourceStore.put(accepted);
  await deps.vexSourceStore.replaced(accepted, new AppError('vex_outdated').message);
  const isOther = before && before.vex_id !== null && before.vex_id !== outcome.id;
  if (isOther) await withdrawVex(deps, before);
  return true;
}

async function importDocument(
  { request }: Pick<PollVexSourceDeps, 'request'>,
  feed: string,
  content: ReadDocument['content'],
): Promise<Pick<VexDocumentView, 'id' | 'sha256'> | { error: string; isFinal: boolean }> {
  if (content === 'too_large') return { error: tooLarge, isFinal: true };
  try {
    const query = { project_id: null, size: content.byteLength, feed };
    return (await request(importVex, query, await gzip(content))).body;
  } catch (error) {
    if (!(error instanceof AppError) || !ofDocument.includes(error.code)) throw error;
    return { error: error.message, isFinal: !untilAnotherIsGone.includes(error.code) };
  }
}

async function withdraw(
  deps: Pick<PollVexSourceDeps, 'request' | 'vexSourceStore'>,
  document: VexSourceDocument,
): Promise<void> {
  await withdrawVex(deps, document);
  await deps.vexSourceStore.remove(document);
}

/** Deletes the stored document unless another source has it, too. Returns whether it did. */
async function withdrawVex(
  { request, vexSourceStore }: Pick<PollVexSourceDeps, 'request' | 'vexSourceStore'>,
  document: Pick<VexSourceDocument, 'origin' | 'key' | 'vex_id'>,
): Promise<boolean> {
  const { vex_id } = document;
  if (vex_id === null || (await vexSourceStore.isUsed(vex_id, document))) return false;
  try {
    await request(deleteVex, { vex_id, of_project: null });
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'vex_not_found') throw error;
    return false;
  }
}

/**
 * Withdraws what was stored for a source by an import after which the process ended, or whose response was lost: as it
 * is recorded nowhere, it would decide for ever.
 */
async function withdrawUnrecorded(
  deps: Pick<PollVexSourceDeps, 'request' | 'vexSourceStore'>,
  origin: string,
): Promise<number> {
  const stored: string[] = [];
  for (let page = 1, total = 1; (page - 1) * perPage < total; page += 1) {
    const { body } = await deps.request(listVex, { feed: origin, page, per_page: perPage });
    // A reconciler of an earlier release returns those of others, too.
    stored.push(...body.items.filter(({ feed }) => feed === origin).map(({ id }) => id));
    ({ total } = body);
  }
  let withdrawn = 0;
  for (const vex_id of stored)
    if (await withdrawVex(deps, { origin, key: '', vex_id })) withdrawn += 1;
  return withdrawn;
}
