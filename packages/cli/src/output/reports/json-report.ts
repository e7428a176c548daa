import type { Outcome } from '../../context';
import type { DocumentReport } from '../document-report';

/** The verdict for programs: of one document, or of several with a list. */
export function jsonReport(documents: readonly DocumentReport[], outcome: Outcome): object {
  const [first] = documents;
  if (documents.length === 1 && first) return documentOf(first);
  return {
    exit_code: outcome.exitCode,
    line: outcome.line,
    documents: documents.map((one) => ({ file: one.file?.name ?? null, ...documentOf(one) })),
  };
}

function documentOf({ stored, what, judged, outcome }: DocumentReport): object {
  const uploaded = stored === null ? 'error' : 'uploaded';
  return {
    what,
    conclusion: judged?.judgement.conclusion ?? uploaded,
    exit_code: outcome.exitCode,
    line: outcome.line,
    sbom: stored,
    verdict: judged?.verdict ?? null,
    ignored: [...(judged?.ignored ?? [])].map(([id, entry]) => ({
      vulnerability_id: id,
      id: entry.id,
      reason: entry.reason,
      expires_at: entry.expiresAt.toISOString(),
    })),
  };
}
