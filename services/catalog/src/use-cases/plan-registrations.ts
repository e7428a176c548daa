import { v7 as newId } from 'uuid';
import { createdAfter, repeatsLatest } from '../domain/duplicate';
import type { Registration } from '../domain/registration';
import { nextRetry } from '../domain/retry-schedule';
import { serviceNameOf } from '../domain/service-name';
import type { SbomDocument } from '../store/documents';
import type { Heads } from '../store/head-store';
import type { Growth } from '../store/registration-store';

/** Decision about one registration. */
export type Decision =
  | { kind: 'no-project' }
  /** `sameSetAs`: the latest stored SBOM of the service, if it has the same component set. */
  | { kind: 'adds'; sbom: SbomDocument; sameSetAs: string | null }
  /** Duplicates the latest stored SBOM of the service. */
  | { kind: 'repeats-stored'; sbomId: string }
  /** Duplicates the SBOM of an earlier registration of the batch. */
  | { kind: 'repeats-added'; sbom: SbomDocument };

/** Decisions, and the writes to save before they are returned. */
export interface Plan {
  /** In the order of the registrations. */
  decisions: Decision[];
  grown: Growth[];
}

/** Decides registrations in order, each based on the result of the earlier ones. */
export function planRegistrations(inputs: readonly Registration[], heads: Heads): Plan {
  const grown = new Map<string, Growth>();

  function decide(input: Registration): Decision {
    const project = heads.projectOf(input);
    if (!project) return { kind: 'no-project' };
    const project_id = project._id;
    const name = serviceNameOf(input.service_name, input.root_name);
    const stored = heads.serviceOf(project_id, name);
    const serviceKey = JSON.stringify([project_id, name]);
    const growth = grown.get(serviceKey) ?? {
      service: stored ?? { _id: newId(), project_id, name },
      seq: stored?.seq ?? null,
      added: [],
    };
    const before = growth.added.at(-1);
    if (before && repeatsLatest(before, input)) return { kind: 'repeats-added', sbom: before };
    if (!before && stored?.latest && repeatsLatest(stored.latest, input)) {
      return { kind: 'repeats-stored', sbomId: stored.latest.sbom_id };
    }
    const seq = (before?.seq ?? growth.seq ?? 0) + 1;
    const created_at = createdAfter(before ?? stored?.latest ?? null, new Date());
    const sbom = newRecord(input, { project_id, service_id: growth.service._id, seq, created_at });
    growth.added.push(sbom);
    grown.set(serviceKey, growth);
    const latest = before ? null : stored?.latest;
    return {
      kind: 'adds',
      sbom,
      sameSetAs: latest && latest.digest === sbom.digest ? latest.sbom_id : null,
    };
  }

  return { decisions: inputs.map(decide), grown: [...grown.values()] };
}

function newRecord(
  input: Registration,
  position: Pick<SbomDocument, 'project_id' | 'service_id' | 'seq' | 'created_at'>,
): SbomDocument {
  return {
    _id: newId(),
    ...position,
    version: input.version,
    format: input.format,
    spec_version: input.spec_version,
    sha256: input.sha256,
    digest: input.digest,
    dependency_count: input.dependency_count,
    scan_status: 'pending',
    scanned_at: null,
    retry_at: nextRetry(position.created_at, 0),
    requests: 0,
    ...(input.provenance ? { provenance: input.provenance } : {}),
    ...(input.traceparent ? { traceparent: input.traceparent } : {}),
  };
}
