import type { SbomReference } from '@bomtrail/messages';
import { createBatchers, type BatchedByKey } from '@bomtrail/concurrency';
import { TooLargeError } from './domain/too-large-error';
import type { SbomVersion } from './domain/types';
import type { ServiceStateDocument, SbomVersionDocument } from './store/documents';
import { versionDocument } from './store/service-state-store';
import type { StoredService } from './store/write-changes';
import { changeService } from './change-service';
import {
  reassignStatuses,
  type Decision,
  type ServiceDeps,
  type ServiceFacts,
  type VersionsChange,
} from './change-once';
import { applyUpload, initialState, type WorkingState } from './working-state';
import type { FindingsReader, ReadScansDeps } from './service-scans';
import type { Metrics } from '../metrics';
import type { ScanResult } from './read-scans';

/** The scan of an upload, and the reader of its findings. */
export interface Upload {
  scan: SbomReference;
  findings: FindingsReader;
}

/** `gone`: deleted in the meantime. Uploads fail independently of each other. */
export type UploadOutcome = 'done' | 'gone' | Error;

/** Pending uploads, batched by service. */
export type UploadBatches = BatchedByKey<Upload, UploadOutcome>;

/** The maximum number of uploads of a service in one batch: twice what a process handles at once. */
const uploadsAtOnce = 64;

export function createUploadBatches(): UploadBatches {
  return createBatchers<Upload, UploadOutcome>(uploadsAtOnce);
}

export type AppendUploadsDeps = ServiceDeps & ReadScansDeps & { metrics: Metrics };

/**
 * Applies the scans of uploads to a service: in memory, in order of their sequence, then one write. The
 * result equals that of writing each alone. Idempotent; a scan of a deleted SBOM restores nothing.
 *
 * @param uploads of the same service, at least one
 * @returns the outcome of each, in order
 */
export async function appendUploads(
  deps: AppendUploadsDeps,
  uploads: readonly Upload[],
): Promise<UploadOutcome[]> {
  const distinct = new Map(uploads.map((upload) => [upload.scan.sbom_id, upload]));
  const inOrder = [...distinct.values()].sort((a, b) => a.scan.seq - b.scan.seq);
  const [first] = inOrder;
  if (!first) return [];
  const { service_id, project_id } = first.scan;
  let ends = new Map<string, UploadOutcome>();
  let attempted = false;
  const decide = async (
    stored: StoredService,
    facts: ServiceFacts,
    scope?: readonly string[],
  ): Promise<Decision> => {
    const head = stored.state?.head ?? null;
    // That the next versions are not stored yet is a condition of the write; they are read only if it failed.
    const possiblyStored = inOrder.filter(
      ({ scan }) => attempted || (head && scan.seq <= head.seq),
    );
    if (possiblyStored.length > 0 && scope && stored.state) return 'needs all vulnerabilities';
    const known = await knownOf(deps, possiblyStored);
    ends = new Map(
      [...known].map(([id, sbomVersion]) => [id, 'removed' in sbomVersion ? 'gone' : 'done']),
    );
    const fresh = inOrder.filter(({ scan }) => !known.has(scan.sbom_id));
    const reads = await readAll(fresh, stored.state);
    const tooLarge = reads.find((read) => read instanceof TooLargeError);
    if (tooLarge) throw tooLarge;
    const seqs = await seqsAround(deps, fresh, head);
    let state = initialState(stored, facts, { seqs, isWhole: !scope || !stored.state });
    const newVersions: SbomVersionDocument[] = [];
    for (const [index, { scan }] of fresh.entries()) {
      const read = reads[index] as ScanResult | Error;
      const next =
        read instanceof Error
          ? read
          : await applyUpload(deps, state, { scan, read }).catch(asError);
      if (next instanceof TooLargeError) throw next;
      if (next === 'needs all vulnerabilities') return next;
      ends.set(scan.sbom_id, next instanceof Error ? next : 'done');
      if (next instanceof Error) continue;
      state = next;
      newVersions.push(versionDocument(scan));
    }
    // A repeated message also checks the acceptances: the process that wrote may have ended before.
    if (newVersions.length === 0) return reassignStatuses(stored, facts, scope);
    attempted = true;
    return decisionOf(state, newVersions);
  };
  const versionsChange = async (): Promise<VersionsChange | null> => {
    const known = await knownOf(deps, inOrder);
    ends = new Map(
      inOrder.map(({ scan }) => {
        const sbomVersion = known.get(scan.sbom_id);
        return [scan.sbom_id, sbomVersion && 'removed' in sbomVersion ? 'gone' : 'done'];
      }),
    );
    const fresh = inOrder.filter(({ scan }) => !known.has(scan.sbom_id));
    const newVersions = fresh.map(({ scan }) => versionDocument(scan));
    return newVersions.length > 0 ? { newVersions, removing: [], tombstones: [] } : null;
  };
  const at = { service_id, project_id, packages: [], versionsChange };
  const outcome = await changeService(deps, at, decide);
  if (outcome === 'changed') deps.metrics.serviceStatesChanged.inc({ lane: 'upload' });
  return uploads.map(({ scan }) =>
    outcome === 'deleted' ? 'gone' : (ends.get(scan.sbom_id) ?? 'gone'),
  );
}

async function knownOf(
  { states }: ServiceDeps,
  uploads: readonly Upload[],
): Promise<Map<string, SbomVersionDocument>> {
  return uploads.length === 0
    ? new Map<string, SbomVersionDocument>()
    : states.known(uploads.map(({ scan }) => scan.sbom_id));
}

/** The findings of uploads in order. None is older than what the service reflects, or than those before it. */
async function readAll(
  uploads: readonly Upload[],
  state: ServiceStateDocument | null,
): Promise<(ScanResult | Error)[]> {
  const snapshot = state ? state.max_revision : 0;
  const reads = await Promise.all(uploads.map(({ findings }) => findings(snapshot).catch(asError)));
  let newest = snapshot ?? 0;
  const older = reads.map((read) => {
    if (read instanceof Error) return false;
    const isOlder = read.revision < newest;
    newest = Math.max(newest, read.revision);
    return isOlder;
  });
  const again = uploads.map(async ({ findings }, index) =>
    older[index] ? findings(newest).catch(asError) : (reads[index] as ScanResult | Error),
  );
  return Promise.all(again);
}

/** The neighbouring versions, if an upload comes late. */
async function seqsAround(
  { states }: ServiceDeps,
  uploads: readonly Upload[],
  head: SbomVersion | null,
): Promise<number[]> {
  const [first] = uploads;
  return first && head && first.scan.seq < head.seq
    ? states.seqsAround(first.scan.service_id, first.scan.seq)
    : [];
}

function decisionOf(state: WorkingState, newVersions: readonly SbomVersionDocument[]): Decision {
  const {
    head,
    vulnerabilities,
    revision = 0,
    newest,
    packageRevisions,
    findingsHash,
    intermediateStates,
  } = state;
  return {
    state: { head, vulnerabilities: [...vulnerabilities] },
    replacedVersions: [],
    newVersions,
    intermediateStates,
    revision,
    packageRevisions,
    ...(newest !== undefined && { newest }),
    ...(findingsHash !== null && { findingsHash }),
  };
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
