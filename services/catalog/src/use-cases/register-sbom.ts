import { AppError, scanRequested, type UploadResult } from '@bomtrail/messages';
import {
  createBatcher,
  createKeyedMutex,
  currentTraceparent,
  mayBeCommitted,
  type Publish,
  type Batched,
} from '@bomtrail/service-kit';
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

/** What became of a registration; `lost`: nothing, because others came before it. */
type Outcome = { kind: 'no-project' | 'lost' } | { kind: 'adds' | 'repeats'; sbom: SbomDocument };

/** Registrations in one transaction. */
const mostTogether = 100;
/**
 * How often a batch begins again where others were first, before each of it is registered by itself: many
 * times, because processes that share a line get on by batches only.
 */
const roundsTogether = 20;
/** The same where a transaction is under way: of a process that was killed in one it may last a minute. */
const conflictsTogether = 8;

/**
 * The one atomic step of an upload: the duplicate of its line's latest SBOM answers that one's id;
 * anything else becomes the next record of the line. The scan is asked for after the commit; if
 * that is lost, the record's `retry_at` brings it back.
 *
 * What comes while one transaction is under way goes together in the next. Processes do not wait for
 * each other: what they write depends on the lines being as they were read.
 *
 * @returns a function that throws AppError `project_not_found`
 */
export function createRegisterSbom(deps: RegisterSbomDeps): Batched<Registration, UploadResult> {
  const withKey = createKeyedMutex();
  const registerTogether = createBatcher<Registration, Outcome>(async (inputs) => {
    const limits = { rounds: roundsTogether, conflicts: conflictsTogether };
    try {
      return await register(deps, inputs, limits);
    } catch (error) {
      if (inputs.length === 1 || mayBeCommitted(error)) throw error;
      // What is wrong with one of them is not the others' failure.
      return inputs.map(() => ({ kind: 'lost' }));
    }
  }, mostTogether);

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
    let outcome = await registerTogether(input);
    // One project's uploads would only fight over its documents.
    const project = input.project_id ?? input.project_slug ?? '';
    if (outcome.kind === 'lost') outcome = await withKey(project, () => registerAlone(input));
    if (!('sbom' in outcome)) throw new AppError('project_not_found');
    const { kind, sbom } = outcome;
    if (kind === 'repeats') return repeat(deps, sbom);
    void deps.publish(scanRequested, scanReference(sbom, { revision: 0, attempt: 0 }));
    return uploadResult(sbom);
  };
}

/** Reads, decides and saves; all over again where others came in between, up to a number of rounds. */
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
    const [saved, stored] = await Promise.all([
      deps.registrations.save(grown, limits.conflicts),
      deps.sboms.byIds(repeated),
    ]);
    if (saved === 'done') return decisions.map((decision) => outcomeOf(decision, stored));
    if (saved === 'blocked') break;
  }
  return inputs.map(() => ({ kind: 'lost' }));
}

/** One that repeats an SBOM which was deleted meanwhile is decided again. */
function outcomeOf(decision: Decision, stored: ReadonlyMap<string, SbomDocument>): Outcome {
  switch (decision.kind) {
    case 'repeats-added':
      return { kind: 'repeats', sbom: decision.sbom };
    case 'repeats-stored': {
      const sbom = stored.get(decision.sbomId);
      return sbom ? { kind: 'repeats', sbom } : { kind: 'lost' };
    }
    default:
      return decision;
  }
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
