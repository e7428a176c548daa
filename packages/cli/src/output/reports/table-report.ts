import type { SbomVerdict } from '@bomtrail/api-client';
import { countsText } from '../../gate/evaluate-verdict';
import { cleanText } from '../clean-text';
import type { DocumentReport } from '../document-report';
import { table, VULNERABILITY_HEAD, vulnerabilityCells } from '../table';

/** The failing findings of each document; null if nothing was judged. */
export function tableReport(documents: readonly DocumentReport[]): string | null {
  const judged = documents.flatMap(({ what, judged: one }) => (one ? [{ what, ...one }] : []));
  if (judged.length === 0) return null;
  return judged
    .map(({ what, verdict }) =>
      documents.length === 1
        ? documentTable(verdict)
        : `${cleanText(what)}\n${documentTable(verdict)}`,
    )
    .join('\n');
}

function documentTable(verdict: SbomVerdict): string {
  const { failing, failing_total, baseline } = verdict;
  const lines = [`Findings: ${countsText(verdict)}.`, ...qualityLines(verdict)];
  if (baseline)
    lines.push(
      cleanText(`Baseline: version ${baseline.version ?? '(none)'}, SBOM ${baseline.sbom_id}.`),
    );
  if (failing.length > 0) {
    const rows = failing.map((row) => [...vulnerabilityCells(row), row.is_new ? 'new' : '']);
    lines.push(`${headingOf(verdict)}:`, table([...VULNERABILITY_HEAD, ''], rows));
  }
  if (failing_total > failing.length) lines.push(`And ${failing_total - failing.length} more.`);
  lines.push(...verdict.caveats.map(({ message }) => cleanText(`Note: ${message}`)));
  return `${lines.join('\n')}\n`;
}

/** Rules beside the threshold fail findings that are below it. */
function headingOf({ fail_on, fail_on_kev, max_epss }: SbomVerdict): string {
  const isThresholdAlone = fail_on !== 'none' && !fail_on_kev && max_epss === null;
  return isThresholdAlone ? `At or above ${fail_on}` : 'Failing';
}

/** How complete the document is, and what it lacks; nothing if the server did not say. */
function qualityLines({ quality }: SbomVerdict): string[] {
  if (!quality) return [];
  const { score, ntia_score, bsi_score, elements } = quality;
  // One that all elements of components share, as of a document without any, is said once.
  const lacking = new Set(
    elements.flatMap(({ reason }) => (reason === null ? [] : [`  ${cleanText(reason)}`])),
  );
  return [`Quality: ${score} of 100 (NTIA ${ntia_score}, BSI ${bsi_score}).`, ...lacking];
}
