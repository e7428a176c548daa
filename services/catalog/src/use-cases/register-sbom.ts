import { AppError, scanCompleted, scanRequested, type UploadResult } from '@bomtrail/messages';
import { createBatcher, createKeyedMutex, type Batched } from '@bomtrail/concurrency';
import type { Publish } from '@bomtrail/messaging';
import { mayBeCommitted } from '@bomtrail/mongo';
import { currentTraceparent } from '@bomtrail/telemetry';
import type { Registration } from '../domain/registration';
import { serviceNameOf } from '../domain/service-name';
import type { SbomDocument } from '../store/documents';
import type { HeadStore } from '../store/head-store';
import type { RegistrationStore } from '../store/registration-store';
import type { SbomStore } from '../store/sbom-store';
import { planRegistrations, type Decision } from './plan-registrations';
import { scanReference, uploadResult } from './views';

export interface RegisterSbomDeps {
  heads: HeadStore;
  registrations: RegistrationStore;
  sboms: SbomStore;
  publish: Publish;
}

/** Outcome of a registration; `lost`: nothing, because of concurrent writes. */
type Outcome =
  | { kind: 'no-project' | 'lost' }
  /** `isScanned`: the service reflects the findings of its component set. */
  | { kind: 'adds'; sbom: SbomDocument; isScanned: boolean }
  | { kind: 'repeats'; sbom: SbomDocument };

/** Registrations per transaction. */
const maxBatch = 100;
/**
 * Retries of a batch after concurrent writes before its uploads are registered alone: many, because
 * processes that share a service make progress only in batches.
 */
const batchRounds = 20;
/** Retries after conflicts with an open transaction, which after a crash may last a minute. */
const batchConflicts = 8;

/**
 * The atomic step of an upload: a duplicate of the latest SBOM of its service returns that SBOM;
 * anything else becomes the next record. The scan is requested after the commit; if the request is
 * lost, the record's `retry_at` triggers another. A component set that the service already reflects
 * is not scanned again (`requestNextStep`).
 *
 * Uploads that arrive during a transaction share the next one. Processes do not wait for each
 * other: writes depend on the services being unchanged since they were read.
 *
 * @returns a function that throws AppError `project_not_found`
 */
export function createRegisterSbom(deps: RegisterSbomDeps): Batched<Registration, UploadResult> {
  const withKey = createKeyedMutex();
  const registerBatched = createBatcher<Registration, Outcome>(async (inputs) => {
    const limits = { rounds: batchRounds, conflicts: batchConflicts };
    try {
      return await register(deps, inputs, limits);
    } catch (error) {
      if (inputs.length === 1 || mayBeCommitted(error)) throw error;
      // One invalid upload must not fail the others.
      return inputs.map(() => ({ kind: 'lost' }));
    }
  }, maxBatch);

  async function registerAlone(input: Registration): Promise<Outcome> {
    for (;;) {
      const limits = { rounds: 1, conflicts: Infinity };
      const [outcome] = await register(deps, [input], limits);
      if (outcome && outcome.kind !== 'lost') return outcome;
    }
  }

  return async (given) => {
    const traceparent = currentTraceparent();
    const input = traceparent ? { ...given, traceparent } : given;
    let outcome = await registerBatched(input);
    // Uploads of one project would conflict with each other.
    const project = input.project_id ?? input.project_slug ?? '';
    if (outcome.kind === 'lost') outcome = await withKey(project, () => registerAlone(input));
    if (!('sbom' in outcome)) throw new AppError('project_not_found');
    const { sbom } = outcome;
    if (outcome.kind === 'repeats') return repeat(deps, sbom);
    void requestNextStep(deps, outcome);
    return uploadResult(sbom);
  };
}

/** Reads, decides and saves, repeatedly after concurrent writes, up to a number of rounds. */
async function register(
  deps: RegisterSbomDeps,
  inputs: readonly Registration[],
  limits: { rounds: number; conflicts: number },
): Promise<Outcome[]> {
  for (let round = 0; round < limits.rounds; round++) {
    const heads = await deps.heads.of(
      inputs.map(({ project_id, project_slug, service_name, root_name }) => {
        const name = serviceNameOf(service_name, root_name);
        return { project_id, project_slug, name };
      }),
    );
    const { decisions, grown } = planRegistrations(inputs, heads);
    const repeated = decisions.flatMap((one) => (one.kind === 'repeats-stored' ? one.sbomId : []));
    const sameSets = decisions.flatMap((one) => (one.kind === 'adds' ? (one.sameSetAs ?? []) : []));
    const [saved, stored, scanned] = await Promise.all([
      deps.registrations.save(grown, limits.conflicts),
      // What is saved must not be repeated because of them: then a duplicate is decided again, and a set scanned again.
      deps.sboms.byIds(repeated).catch(() => new Map<string, SbomDocument>()),
      deps.heads.upToDate(sameSets).catch(() => new Set<string>()),
    ]);
    if (saved === 'done') return decisions.map((one) => outcomeOf(one, { stored, scanned }));
    if (saved === 'blocked') break;
  }
  return inputs.map(() => ({ kind: 'lost' }));
}

/** A duplicate of an SBOM that was deleted meanwhile is decided again. */
function outcomeOf(
  decision: Decision,
  found: { stored: ReadonlyMap<string, SbomDocument>; scanned: ReadonlySet<string> },
): Outcome {
  switch (decision.kind) {
    case 'adds': {
      const { kind, sbom, sameSetAs } = decision;
      return { kind, sbom, isScanned: sameSetAs !== null && found.scanned.has(sameSetAs) };
    }
    case 'repeats-added':
      return { kind: 'repeats', sbom: decision.sbom };
    case 'repeats-stored': {
      const sbom = found.stored.get(decision.sbomId);
      return sbom ? { kind: 'repeats', sbom } : { kind: 'lost' };
    }
    default:
      return decision;
  }
}

/**
 * Requests the scan of a new record. If the SBOM before it has the same component set, was scanned
 * and waits for no re-scan, its scan would find the same: the service reflects the findings, every
 * later change of them reaches it as a re-scan, and the set is in use without a gap. The reconciler
 * then takes any findings that are not older than those of the service (`evaluated_revision` 0).
 */
function requestNextStep(
  { publish }: RegisterSbomDeps,
  { sbom, isScanned }: { sbom: SbomDocument; isScanned: boolean },
): Promise<boolean> {
  const scan = scanReference(sbom, { revision: 0, attempt: 0 });
  return isScanned
    ? publish(scanCompleted, { ...scan, evaluated_revision: 0, scanned_at: scan.created_at })
    : publish(scanRequested, scan);
}

/** The existing record; a failed one is queued again. */
async function repeat(deps: RegisterSbomDeps, sbom: SbomDocument): Promise<UploadResult> {
  const now = new Date();
  const attempt = Math.floor(now.getTime() / 1000);
  if (sbom.scan_status === 'failed' && (await deps.sboms.queueAgain(sbom._id, attempt, now))) {
    void deps.publish(scanRequested, scanReference(sbom, { revision: 0, attempt }));
    return uploadResult({ ...sbom, scan_status: 'pending' });
  }
  return uploadResult(sbom);
}
