import type { Context, Outcome } from '../context';
import { EXIT } from '../exit-codes';
import { explainError } from '../http/explain-error';
import { cleanText } from '../output/clean-text';
import type { DocumentReport } from '../output/document-report';
import type { Judged } from './judged';
import { hasOtherRules } from './await-verdict';
import { findingsOf, judgeSbom } from './judge-sbom';
import { storeDocument, type Stored, type Storing } from './store-document';

/** Maximum wait for a verdict with a gate but without `--wait`, in milliseconds. */
const defaultWaitMs = 60_000;

/**
 * Uploads a document and, with a wait or a gate, judges it.
 *
 * @throws CliError, ApiError
 */
export async function uploadDocument(context: Context, storing: Storing): Promise<DocumentReport> {
  const { api, say } = context;
  const stored = await storeDocument(context, storing);
  context.setInterruptMessage(
    `SBOM ${stored.id} is stored and its scan continues: bomtrail status ${stored.id} --wait`,
  );
  say(
    `Stored as SBOM ${stored.id}: ${stored.dependency_count ?? '?'} components, ${stored.format}${scoreText(stored)}.`,
  );
  const what = displayName(context, storing);
  const findings = findingsOf(api, stored.id);
  const waitMs = waitOf(context);
  let judged: Judged | null = null;
  if (waitMs !== null) {
    say(`Waiting for the scan, up to ${Math.round(waitMs / 1000)} s.`);
    judged = await judgeSbom(context, { sbomId: stored.id, what, waitMs, findings });
  }
  const outcome = judged?.judgement ?? uploadedOnly(what, stored.id);
  return { what, stored, file: storing.file, judged, outcome, findings };
}

/** Unknown over gRPC, of a document that an earlier release stored, and from an older server. */
function scoreText({ quality_score: score }: Stored): string {
  return score === undefined || score === null ? '' : `, quality ${score} of 100`;
}

/** The report of a document whose upload failed. @throws the error if it is a bug of this program */
export function failedReport(
  context: Context,
  { error, ...storing }: { error: unknown } & Named,
): DocumentReport {
  const explained = explainError(error);
  if (!explained) throw error;
  const what = displayName(context, storing);
  const outcome = { exitCode: explained.exitCode, line: `ERROR ${what}: ${explained.message}` };
  const findings = async () => ({ service_name: null, vulnerabilities: [] });
  return { what, stored: null, file: null, judged: null, outcome, findings };
}

type Named = Pick<Storing, 'service' | 'version'>;

/** Name of a document in reports. */
function displayName({ settings }: Context, { service, version }: Named): string {
  return `${settings.project}/${service} ${version}`;
}

/** Null: no wait. */
function waitOf({ settings }: Context): number | null {
  const isGated = settings.failOn !== undefined || hasOtherRules(settings);
  return settings.waitMs ?? (isGated ? defaultWaitMs : null);
}

function uploadedOnly(what: string, id: string): Outcome {
  const line = `UPLOADED ${what}: stored as ${id}; not evaluated, as neither --fail-on nor --wait was given`;
  return { exitCode: EXIT.pass, line: cleanText(line) };
}
