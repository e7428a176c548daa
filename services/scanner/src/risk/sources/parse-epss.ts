import type { EpssScore } from '@bomtrail/messages';

/** The file is no EPSS file or damaged; the message says where. */
export class RiskFileError extends Error {}

/** One day of EPSS. */
export interface EpssDay {
  /** The day of the scores; null if the file does not tell it. */
  asOf: Date | null;
  scores: Map<string, EpssScore>;
}

const columns = 'cve,epss,percentile';
const cve = /^CVE-\d{4}-\d{4,19}$/;
const fraction = /^(0(\.\d+)?|1(\.0+)?)([eE]-\d+)?$/;

/** Several times the number of CVEs that have a score. */
const maxScores = 2_000_000;

/**
 * Reads FIRST's daily file: a comment with model and date, a line with the names of the columns,
 * one line per CVE. Source: https://www.first.org/epss/data_stats.
 *
 * @param lines the file by lines, without line breaks
 * @throws RiskFileError for anything else, with the first line that is wrong
 */
export async function parseEpss(lines: AsyncIterable<string>): Promise<EpssDay> {
  const day: EpssDay = { asOf: null, scores: new Map() };
  let number = 0;
  let hasColumns = false;
  for await (const line of lines) {
    number += 1;
    if (line === '') continue;
    if (line.startsWith('#')) day.asOf ??= dateOf(line);
    else if (!hasColumns) {
      if (line.trim() !== columns)
        throw new RiskFileError(`line ${number}: the columns are not ${columns}`);
      hasColumns = true;
    } else addScore(day.scores, line, number);
  }
  if (day.scores.size === 0) throw new RiskFileError('the file has no scores');
  return day;
}

function addScore(scores: Map<string, EpssScore>, line: string, number: number): void {
  const [id = '', score = '', percentile = '', ...more] = line.split(',');
  if (!cve.test(id)) throw new RiskFileError(`line ${number}: the first value is not a CVE`);
  if (more.length > 0 || !fraction.test(score) || !fraction.test(percentile.trim()))
    throw new RiskFileError(`line ${number}: score and percentile must be from 0 to 1`);
  if (scores.size >= maxScores)
    throw new RiskFileError(`the file has more than ${maxScores} scores`);
  scores.set(id, { score: Number(score), percentile: Number(percentile) });
}

/** The date in `#model_version:…,score_date:…`. */
function dateOf(comment: string): Date | null {
  const [, text] = /score_date:([^,\s]+)/.exec(comment) ?? [];
  const at = new Date(text ?? '');
  return Number.isNaN(at.getTime()) ? null : at;
}
