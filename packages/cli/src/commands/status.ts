import type { AdvisoryFeeds } from '@bomtrail/api-client';
import type { Context, Outcome } from '../context';
import { EXIT } from '../exit-codes';
import { findingsOf, judgeSbom } from '../gate/judge-sbom';
import { writeReports } from '../gate/write-reports';
import { recordIgnored } from '../ignores/record-ignored';
import { sayExpired } from '../ignores/say-expired';
import { cleanText } from '../output/clean-text';
import { table } from '../output/table';
import { prepareFiles, readTargets } from '../output/reports/targets';
import { ageText } from '../settings/duration';

export interface StatusOptions {
  /** Undefined: prints the state of the server. */
  sbom: string | undefined;
  /** Stores what the project file ignores as acceptances. */
  recordIgnored: boolean;
  output: readonly string[];
  folder: string;
  toolVersion: string;
}

/** Reports the verdict of an SBOM like `upload`, or without an SBOM the state of the server's advisories. */
export async function status(context: Context, options: StatusOptions): Promise<Outcome> {
  const targets = readTargets(options.output);
  if (options.sbom === undefined) return serviceStatus(context);
  prepareFiles(targets);
  sayExpired(context);
  const findings = findingsOf(context.api, options.sbom);
  const { what, ...judged } = await judgeSbom(context, {
    sbomId: options.sbom,
    waitMs: context.settings.waitMs ?? 0,
    findings,
  });
  const stored = { id: judged.verdict.sbom_id };
  const outcome = judged.judgement;
  const document = { what, stored, file: null, judged, outcome, findings };
  if (options.recordIgnored) await recordIgnored(context, [document]);
  return writeReports(context, { ...options, targets, documents: [document], outcome });
}

async function serviceStatus({ api, print, settings }: Context): Promise<Outcome> {
  const state = await api.advisoryFeeds();
  const { feeds, advisory_data, applied } = state;
  print(
    `${table(['Ecosystem', 'DataStatus', 'Records', 'Age'], feeds.map(feedCells))}\n${failureLines(state)}`,
  );
  const loaded = feeds.filter(({ data_status }) => data_status === 'feed').length;
  const moving = applied ? '' : '; results are being brought to the newest advisories';
  const text = `${settings.url}: ${loaded} of ${feeds.length} ecosystems have a current advisory feed (data: ${advisory_data})${moving}`;
  return loaded > 0
    ? { exitCode: EXIT.pass, line: `OK ${text}` }
    : { exitCode: EXIT.undecided, line: `UNDECIDED ${text}: no SBOM can be judged` };
}

function feedCells(feed: AdvisoryFeeds['feeds'][number]): string[] {
  const age = feed.age_seconds === null ? '' : ageText(feed.age_seconds);
  return [feed.ecosystem, feed.data_status, String(feed.records), age];
}

/**
 * Whole, below the table: a reason that is cut off tells nobody what to do. A folder that is missing is the reason of every
 * ecosystem, and is said once.
 */
export function failureLines({ feeds, risk_feeds, vex_sources }: AdvisoryFeeds): string {
  const isOne = new Set(feeds.map(({ last_error }) => last_error?.message)).size === 1;
  const ecosystems = isOne ? [{ ...feeds[0], ecosystem: 'All ecosystems' }] : feeds;
  const parts = [
    ...ecosystems.map(({ ecosystem, last_error }) => [ecosystem, last_error] as const),
    ...risk_feeds.map(({ feed, last_error }) => [feed.toUpperCase(), last_error] as const),
    ...vex_sources.map(({ source, last_error }) => [source, last_error] as const),
  ];
  const byReason = new Map<string, string[]>();
  for (const [name, error] of parts)
    if (error) byReason.set(error.message, [...(byReason.get(error.message) ?? []), name]);
  return [...byReason]
    .map(([reason, names]) => `${cleanText(`${names.join(', ')}: ${reason}`)}\n`)
    .join('');
}
