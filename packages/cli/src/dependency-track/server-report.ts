import { ApiError, type ImportUpdate } from '@bomtrail/api-client';
import type { Context } from '../context';
import { explainError } from '../http/explain-error';
import { cut } from '../output/clean-text';
import type { ExportFolder, ImportState } from './export-folder';
import type { LeftOut, ServiceReport } from './report';

/** A long upload of many versions says that it goes on; the server takes 30 minutes of silence for an interruption. */
const aliveEveryMs = 5 * 60_000;

/** Bounds of the contract's ImportUpdate. */
const most = { refused: 50, unmatched: 100, skipped: 200, policies: 200 };
const longest = { name: 1000, component: 4096, service: 255, text: 2000, sourceVersion: 100 };

/** The report of an import that the server keeps; see docs/dependency-track.md. */
export interface ServerReport {
  /** Says that the import goes on, if it has said nothing for a while. */
  alive(): Promise<void>;
  /** Reports what one service got, or got again. */
  service(report: ServiceReport, projectId: string): Promise<void>;
  finished(left: LeftOut): Promise<void>;
  /** Never fails: the error of the import matters more. */
  failed(error: unknown): Promise<void>;
}

/**
 * Begins the report of an import, or continues that of the folder. Without the rights for it, or at an older server, the
 * import goes on without one.
 *
 * @throws ApiError
 */
export async function openServerReport(
  { api, say, now }: Context,
  { folder, state, version }: { folder: ExportFolder; state: ImportState; version: string },
): Promise<ServerReport> {
  const id = await begin();
  let reportedAt = now().getTime();

  async function update(body: ImportUpdate): Promise<void> {
    if (id === null) return;
    await api.updateImport(id, body);
    reportedAt = now().getTime();
  }

  async function begin(): Promise<string | null> {
    try {
      if (state.import_id !== undefined) {
        const found = await continued(state.import_id);
        if (found !== null) return found;
      }
      const source_version = cut(version, longest.sourceVersion);
      const begun = await api.createImport({ source: 'dependency-track', source_version });
      state.import_id = begun.id;
      folder.writeState(state);
      return begun.id;
    } catch (error) {
      if (!(error instanceof ApiError) || ![403, 404, 405].includes(error.status)) throw error;
      say(`The server keeps no report of this import: ${error.detail}`);
      return null;
    }
  }

  async function continued(id: string): Promise<string | null> {
    try {
      return (await api.updateImport(id, { status: 'running', error: null })).id;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'import_not_found') return null;
      throw error;
    }
  }

  return {
    async alive() {
      if (now().getTime() - reportedAt >= aliveEveryMs) await update({});
    },
    service: (report, projectId) => update({ services: [serviceEntry(report, projectId)] }),
    finished: ({ skipped, policies, policies_readable }) =>
      update({
        status: 'finished',
        error: null,
        skipped_total: skipped.length,
        skipped: skipped.slice(0, most.skipped).map(({ name, version, reason }) => ({
          name: cut(name, longest.name),
          version: cut(version, longest.name),
          reason,
        })),
        policies: policies_readable
          ? policies.slice(0, most.policies).map(({ policy, setting, note }) => ({
              policy: cut(policy, longest.name),
              setting: setting && cut(setting, longest.name),
              note: cut(note, longest.name),
            }))
          : null,
      }),
    async failed(error) {
      const why = explainError(error)?.message ?? 'Internal error of the command line.';
      await update({ status: 'failed', error: cut(why, longest.text) }).catch(() => {});
    },
  };
}

function serviceEntry(
  report: ServiceReport,
  project_id: string,
): NonNullable<ImportUpdate['services']>[number] {
  const { versions, uploaded, findings_there, findings_here, analyses, decided } = report;
  return {
    project_id,
    service: cut(report.service, longest.service) || '-',
    versions,
    uploaded,
    findings_there,
    findings_here,
    analyses,
    decided,
    refused_total: report.refused.length,
    refused: report.refused.slice(0, most.refused).map(({ version, reason }) => ({
      version: cut(version, longest.name),
      reason: cut(reason, longest.text),
    })),
    unmatched_total: report.unmatched.length,
    unmatched: report.unmatched.slice(0, most.unmatched).map((one) => ({
      vulnerability: cut(one.vulnerability, longest.name),
      component: cut(one.component, longest.component),
      reason: one.reason,
    })),
  };
}
