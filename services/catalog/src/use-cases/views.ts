import type {
  ProjectView,
  ProvenanceView,
  SbomReference,
  SbomRecord,
  UploadResult,
} from '@bomtrail/messages';
import { ownershipView } from '../domain/ownership';
import type { ServiceDocument, ProjectDocument, SbomDocument } from '../store/documents';

/** A project for other services. */
export function projectView(project: ProjectDocument): ProjectView {
  return {
    id: project._id,
    slug: project.slug,
    name: project.name,
    description: project.description,
    repo_url: project.repo_url,
    platform: project.platform,
    retention: project.retention ?? null,
    service_levels: project.service_levels ?? null,
    license_policy: project.license_policy ?? null,
    ships_products: project.ships_products ?? false,
    embedded_vex: project.embedded_vex ?? 'off',
    ...ownershipView(project),
    created_at: project.created_at.toISOString(),
    updated_at: project.updated_at?.toISOString() ?? null,
  };
}

export function sbomRecord(sbom: SbomDocument, service: ServiceDocument): SbomRecord {
  return {
    ...provenanceView(sbom),
    id: sbom._id,
    project_id: sbom.project_id,
    service_id: sbom.service_id,
    service_name: service.name,
    seq: sbom.seq,
    version: sbom.version,
    format: sbom.format,
    spec_version: sbom.spec_version,
    ...contentOf(sbom),
    dependency_count: sbom.dependency_count,
    created_at: sbom.created_at.toISOString(),
    scan_status: sbom.scan_status,
    scanned_at: sbom.scanned_at?.toISOString() ?? null,
    scan_error: sbom.scan_error ?? null,
    gate_passed: sbom.gate_passed ?? [],
    retained: sbom.expired === undefined,
  };
}

export function uploadResult(sbom: SbomDocument): UploadResult {
  return {
    ...provenanceView(sbom),
    id: sbom._id,
    format: sbom.format,
    spec_version: sbom.spec_version,
    dependency_count: sbom.dependency_count,
    sha256: contentOf(sbom).sha256,
    scan_status: sbom.scan_status,
    scanned_at: sbom.scanned_at?.toISOString() ?? null,
  };
}

/** The work item for an SBOM. `revision` 0: the upload's scan. */
export function scanReference(
  sbom: SbomDocument,
  request: { revision: number; attempt: number; changed_at?: Date | null },
): SbomReference {
  return {
    ...sbomIdentity(sbom),
    lane: request.revision > 0 ? 'rescan' : 'upload',
    revision: request.revision,
    attempt: request.attempt,
    ...(request.changed_at ? { changed_at: request.changed_at.toISOString() } : {}),
  };
}

/** Ids, position and digest of an SBOM. */
export function sbomIdentity(
  sbom: SbomDocument,
): Omit<SbomReference, 'lane' | 'revision' | 'attempt' | 'changed_at'> {
  return {
    sbom_id: sbom._id,
    project_id: sbom.project_id,
    service_id: sbom.service_id,
    seq: sbom.seq,
    digest: contentOf(sbom).digest,
    created_at: sbom.created_at.toISOString(),
  };
}

/** The hash of the document and the digest of its component set, also of an expired SBOM. */
export function contentOf({
  sha256 = '',
  digest = '',
  expired,
}: Pick<SbomDocument, 'sha256' | 'digest' | 'expired'>): { sha256: string; digest: string } {
  return expired ? { sha256: expired.sha256, digest: expired.digest } : { sha256, digest };
}

/** Who uploaded an SBOM, and from which build. */
export function provenanceView({ provenance }: Pick<SbomDocument, 'provenance'>): ProvenanceView {
  return provenance ?? { uploaded_by: null, commit: null, build_url: null };
}
