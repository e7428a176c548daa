import { AppError, scanRequested, type SbomFormat, type UploadResult } from '@bomtrail/messages';
import type { Announce, InTurn } from '@bomtrail/service-kit';
import { v7 as newId } from 'uuid';
import { latestOf, repeatsLatest } from '../domain/duplicate';
import { nextRetry } from '../domain/retry-schedule';
import { serviceNameOf } from '../domain/service-name';
import type { SbomDocument } from '../store/documents';
import type { LineStore } from '../store/line-store';
import type { ProjectStore } from '../store/project-store';
import type { SbomStore } from '../store/sbom-store';
import { findProject } from './find-project';
import { scanReference, uploadResult } from './views';

export interface Registration {
  project_id: string | null;
  project_slug: string | null;
  version: string | null;
  service_name: string | null;
  root_name: string | null;
  sha256: string;
  digest: string;
  format: SbomFormat;
  spec_version: string;
  dependency_count: number;
}

export interface RegisterSbomDeps {
  projects: ProjectStore;
  lines: LineStore;
  sboms: SbomStore;
  announce: Announce;
  /** Runs the registrations of one line, and the beginnings of lines in one project, one after the other, so that they do not fight over the same document. */
  inTurn: InTurn;
}

/**
 * The one atomic step of an upload: the duplicate of its line's latest SBOM answers that one's id;
 * anything else becomes the next record of the line. The scan is asked for after the commit; if
 * that is lost, the record's `retry_at` brings it back.
 *
 * @throws AppError `project_not_found`
 */
export async function registerSbom(
  deps: RegisterSbomDeps,
  input: Registration,
): Promise<UploadResult> {
  const project = await findProject(deps, input);
  const name = serviceNameOf(input.service_name, input.root_name);
  return deps.inTurn(`${project._id}/${name ?? ''}`, async () => {
    for (;;) {
      const line = await deps.lines.byName(project._id, name);
      if (line && line.latest && repeatsLatest(line.latest, input)) {
        const repeated = await repeatLatest(deps, line.latest.sbom_id);
        if (repeated) return repeated;
        continue;
      }
      const lineId = line?._id ?? newId();
      const sbom = newRecord(input, {
        project_id: project._id,
        line_id: lineId,
        seq: (line?.seq ?? 0) + 1,
      });
      const outcome = line
        ? await deps.lines.append(line, sbom)
        : await deps.inTurn(project._id, () =>
            deps.lines.begin(
              {
                _id: lineId,
                project_id: project._id,
                name,
                created_at: sbom.created_at,
                seq: sbom.seq,
                latest: latestOf(sbom),
                counted: { sboms: 1, seq: sbom.seq },
              },
              sbom,
            ),
          );
      if (outcome === 'gone') throw new AppError('project_not_found');
      if (outcome === 'lost') continue;
      void deps.announce(scanRequested, scanReference(sbom, { revision: 0, attempt: 0 }));
      return uploadResult(sbom);
    }
  });
}

/** The existing record; a failed one is queued again. Null when it was deleted meanwhile. */
async function repeatLatest(deps: RegisterSbomDeps, sbomId: string): Promise<UploadResult | null> {
  const sbom = await deps.sboms.byId(sbomId);
  if (!sbom) return null;
  const now = new Date();
  if (sbom.scan_status === 'failed' && (await deps.sboms.queueAgain(sbomId, now))) {
    const attempt = Math.floor(now.getTime() / 1000);
    void deps.announce(scanRequested, scanReference(sbom, { revision: 0, attempt }));
    return uploadResult({ ...sbom, scan_status: 'pending' });
  }
  return uploadResult(sbom);
}

function newRecord(
  input: Registration,
  place: { project_id: string; line_id: string; seq: number },
): SbomDocument {
  const now = new Date();
  return {
    _id: newId(),
    ...place,
    version: input.version,
    format: input.format,
    spec_version: input.spec_version,
    sha256: input.sha256,
    digest: input.digest,
    dependency_count: input.dependency_count,
    created_at: now,
    scan_status: 'pending',
    scanned_at: null,
    retry_at: nextRetry(now, 0),
    requests: 0,
  };
}
