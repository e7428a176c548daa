import { releaseOfAdvisory } from '@bomtrail/osv';
import type { Logger } from '@bomtrail/telemetry';
import { foreignReason, rejectionReason } from './domain/feed-verdict';
import { mergeRecord } from './domain/merge-record';
import { pagesOf } from '../domain/pages';
import type { Edition } from './sources/source';
import { matchedKeys, type AdvisoryWrite } from './store/advisory-documents';
import { recordGroupChanges, recordPackageChanges, type RecordChangesDeps } from './record-changes';
import {
  fetchFile,
  idOfName,
  readFiles,
  type FetchedFile,
  type FilesRead,
  type RejectedFile,
} from './read-page';

export interface LoadPartDeps extends RecordChangesDeps {
  log: Logger;
}

/** The load of one part. */
export interface PartLoad {
  label: string;
  /** Ecosystems of the part; several: it may contain any of them. */
  covers: readonly string[];
  edition: Edition;
  /** The revision that the changes belong to. */
  revision: number;
  /** Whether package versions may have been assessed by the stored advisories. */
  hasAssessments: boolean;
  /** Whether an edition of the same source is stored; a much smaller one is then rejected. */
  sameOrigin: boolean;
  signal: AbortSignal;
}

export interface PartResult {
  records: number;
  /** Names of the unreadable records. */
  rejected: string[];
  /** Records older than the stored ones. */
  stale: number;
  /** Ecosystems of the edition's advisories. */
  ecosystems: Set<string>;
  /** Distribution releases named by the advisories. */
  releases: Set<string>;
  /** Advisories written or removed. */
  changed: number;
  /** Why the edition was not loaded, null when it was. */
  error: string | null;
}

const filesPerPage = 500;
const perRemoval = 5000;
/** Also ends a page: some advisories list thousands of versions. */
const bytesPerPage = 8 * 1024 * 1024;
/** Rejected records that are logged as warnings. */
const rejectedLines = 20;

/**
 * Loads one edition of a part. Unreadable records are counted and logged; their stored versions
 * stay. Records missing from a full edition are removed, unless the edition looks damaged or is
 * that of another ecosystem.
 */
export async function loadPart(deps: LoadPartDeps, part: PartLoad): Promise<PartResult> {
  const { label, edition } = part;
  const isWhole = edition.increment === null;
  const stored = part.sameOrigin && isWhole ? await deps.advisories.countByLabel(label) : 0;
  const rejection = isWhole ? rejectionReason({ found: edition.count, stored }) : null;
  if (rejection) return { ...nothingTaken(), error: rejection };

  const seen = new Set<string>();
  const result = nothingTaken();
  const reject = ({ name, problem, id = idOfName(name) }: RejectedFile): void => {
    result.rejected.push(idOfName(name));
    seen.add(idOfName(name)).add(id);
    logRejected(deps.log, { label, name, problem }, result.rejected.length);
  };
  // A page is read and parsed while the previous one is written.
  let writing: Promise<number> = Promise.resolve(0);
  try {
    for await (const files of pagesOfFiles(edition, reject)) {
      part.signal.throwIfAborted();
      let page = await readFiles(deps.advisories, label, files);
      result.changed += await writing;
      // A repeated id is compared with what its first file has written.
      if (idsOf(page).some((id) => seen.has(id)))
        page = await readFiles(deps.advisories, label, files);
      for (const file of page.rejected) reject(file);
      for (const id of idsOf(page)) seen.add(id);
      result.records += page.unchanged.length + page.read.size;
      result.stale += countStale(page);
      for (const ecosystem of ecosystemsIn(page)) result.ecosystems.add(ecosystem);
      // Before anything of it is written: records of others would count as stored ones of this part.
      result.error = isWhole ? foreignReason(part.covers, result.ecosystems) : null;
      if (result.error) break;
      for (const release of releasesIn(page)) result.releases.add(release);
      writing = writePage(deps, part, page);
      // Awaited with the next page; avoids an unhandled rejection until then.
      writing.catch(() => {});
    }
  } finally {
    await writing.catch(() => {});
  }
  result.changed += await writing;

  if (!isWhole || result.error) return result;
  result.error = rejectionReason({ found: result.records, stored });
  if (result.error) return result;
  const upTo = edition.completeUpTo?.toISOString() ?? null;
  const mayBeMissing = (modified: string): boolean => upTo !== null && modified > upTo;
  const isGone = (id: string, modified: string) => !seen.has(id) && !mayBeMissing(modified);
  result.changed += await removeVanished(deps, part, isGone);
  return result;
}

function idsOf(page: FilesRead): string[] {
  return [...page.unchanged, ...page.read.keys()];
}

function nothingTaken(): PartResult {
  return {
    records: 0,
    rejected: [],
    stale: 0,
    changed: 0,
    error: null,
    ecosystems: new Set(),
    releases: new Set(),
  };
}

/** The files of an edition with their bytes, in pages. */
async function* pagesOfFiles(
  edition: Edition,
  reject: (file: RejectedFile) => void,
): AsyncGenerator<FetchedFile[]> {
  let page: FetchedFile[] = [];
  let size = 0;
  for await (const file of edition.files()) {
    const fetched = await fetchFile(file);
    if ('problem' in fetched) {
      reject({ name: file.name, ...fetched });
      continue;
    }
    page.push(fetched);
    size += fetched.bytes.byteLength;
    if (page.length < filesPerPage && size < bytesPerPage) continue;
    yield page;
    page = [];
    size = 0;
  }
  if (page.length > 0) yield page;
}

/**
 * Removes a part's label from vanished advisories, and the advisories without another label.
 * Returns the number of removed advisories.
 */
export async function removeVanished(
  deps: RecordChangesDeps,
  part: Pick<PartLoad, 'label' | 'revision' | 'hasAssessments' | 'signal'>,
  isGone: (id: string, modified: string) => boolean,
): Promise<number> {
  const { label, revision } = part;
  const unlabelled: string[] = [];
  const removed: { id: string; affects: string[]; group: string }[] = [];
  for await (const one of deps.advisories.listByLabel(label)) {
    const { _id, labels, affects, group } = one;
    if (!isGone(_id, one.modified)) continue;
    if (labels.length > 1) unlabelled.push(_id);
    else removed.push({ id: _id, affects, group });
  }
  part.signal.throwIfAborted();
  if (unlabelled.length > 0) await deps.advisories.removeLabel(unlabelled, label);
  if (removed.length === 0) return 0;
  if (part.hasAssessments) {
    await recordPackageChanges(
      deps,
      removed.flatMap(({ affects }) => affects),
      revision,
    );
    await recordGroupChanges(
      deps,
      removed.map(({ group }) => group),
      revision,
    );
  }
  for (const page of pagesOf(removed, { items: perRemoval }))
    await deps.advisories.removeOnlyLabelled(
      page.map(({ id }) => id),
      label,
      revision,
    );
  return removed.length;
}

/** Returns the number of advisories whose content changed. */
async function writePage(deps: LoadPartDeps, part: PartLoad, page: FilesRead): Promise<number> {
  const writes: AdvisoryWrite[] = [];
  const adopted: string[] = [];
  const confirmed: { id: string; fileDigest: string }[] = [];
  const packages: string[] = [];
  const now = Date.now();
  for (const [id, { record, text, fingerprint, fileDigest }] of page.read) {
    const before = page.stored.get(id) ?? null;
    const affects = matchedKeys(record);
    const incoming = { modified: record.modified, fingerprint, label: part.label };
    const decision = mergeRecord(before, incoming, now);
    if (decision === 'adopt') adopted.push(id);
    const isSame = before?.fingerprint === fingerprint;
    // New rules may derive other keys from the same record.
    const isRedrawn = isSame && !sameKeys(before.affects, affects);
    if (isSame && !isRedrawn) confirmed.push({ id, fileDigest });
    if (decision !== 'write' && !isRedrawn) continue;
    const labels = [...new Set([...(before?.labels ?? []), part.label])];
    const isStored = before !== null;
    const group = before?.group ?? id;
    writes.push({ record, text, fingerprint, fileDigest, labels, group, affects, isStored });
    packages.push(...affects, ...(before?.affects ?? []));
  }
  if (part.hasAssessments) await recordPackageChanges(deps, packages, part.revision);
  await deps.advisories.write(writes, part.revision);
  await deps.advisories.addLabel(adopted, part.label);
  await deps.advisories.confirm(confirmed);
  return writes.length;
}

function ecosystemsIn({ unchanged, read, stored }: FilesRead): Set<string> {
  const keys = [
    ...unchanged.flatMap((id) => stored.get(id)?.affects ?? []),
    ...[...read.values()].flatMap(({ record }) => matchedKeys(record)),
  ];
  return new Set(keys.map((key) => key.slice(0, key.indexOf('|'))));
}

function* releasesIn({ read }: FilesRead): Generator<string> {
  for (const { record } of read.values()) {
    for (const { package: named } of record.affected) {
      const release = named === null ? null : releaseOfAdvisory(named.ecosystem);
      if (release?.includes(':')) yield release;
    }
  }
}

function countStale({ read, stored }: FilesRead): number {
  return [...read].filter(([id, { record }]) => record.modified < (stored.get(id)?.modified ?? ''))
    .length;
}

function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}

function logRejected(
  log: Logger,
  rejected: { label: string; name: string; problem: string },
  count: number,
): void {
  const level = count <= rejectedLines ? 'warn' : 'debug';
  log[level](rejected, 'Skipped an unreadable advisory.');
}
