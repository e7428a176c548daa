import {
  listEpisodes,
  maxEpisodeLines,
  maxListedEpisodes,
  type AlertCounts,
  type EpisodeView,
} from '@bomtrail/messages';
import type { Request } from '@bomtrail/service-kit';
import { namedInDigest } from '../domain/digest';
import { severest } from '../domain/severest';
import { tellingKeys, toldKey } from '../domain/told';
import type { AlertRuleDocument, MarkDocument, ToldDocument } from '../store/documents';
import type { ToldStore } from '../store/told-store';
import type { Ledger } from './project-ledgers';

/** Episodes that one message tells, at most; the rest is told at the next check. Bounds memory and the transaction. */
export const maxTold = 10_000;

export interface GatherDeps {
  told: Pick<ToldStore, 'among' | 'marks'>;
  request: Request;
}

export type GatheredRule = Pick<AlertRuleDocument, '_id' | 'project_id' | 'severity_threshold'>;

/** An episode that is new to a rule. */
export type NewEpisode = Pick<
  ToldDocument,
  '_id' | 'rule_id' | 'project_id' | 'line_id' | 'vulnerability_id' | 'severity'
> & { episode: Date };

/** What is new to a rule now. */
export interface Gathered {
  episodes: NewEpisode[];
  counts: AlertCounts;
  /** The most severe ones, at most `namedInDigest`. */
  top: EpisodeView[];
  /** True once these episodes are told: lines that were read whole, each with the version it had before. */
  marks: MarkDocument[];
  /** Those of the marks whose lines have nothing new: true already. */
  quietMarks: MarkDocument[];
  /** Places in their traces of what changed the lines that have something new. */
  traceparents: string[];
}

/**
 * Looks for the episodes that a rule has not told: in the lines whose ledger has changed since nothing was new there,
 * page by page, at most `maxTold` (one page more in some cases). Writes nothing.
 *
 * @param ledgers of the rule's project, read before: what changes meanwhile makes them newer than the marks say
 * @throws AppError what the reconciler answered, or `service_unavailable`
 */
export async function gatherNew(
  deps: GatherDeps,
  rule: GatheredRule,
  ledgers: readonly Ledger[],
): Promise<Gathered> {
  const gathered: Gathered = {
    ...{ episodes: [], counts: {}, top: [] },
    ...{ marks: [], quietMarks: [], traceparents: [] },
  };
  const marks = await deps.told.marks(rule);
  const changed = ledgers.filter(({ line_id, version }) => marks.get(line_id) !== version);
  const seen = new Set<string>();
  for (let first = 0; first < changed.length; first += maxEpisodeLines) {
    const lines = changed.slice(first, first + maxEpisodeLines);
    const read = await readLines(deps, { rule, lines, gathered, seen });
    for (const { line_id, traceparent } of lines)
      if (traceparent && gathered.episodes.some((one) => one.line_id === line_id))
        gathered.traceparents.push(traceparent);
    if (read === 'enough') break;
  }
  return gathered;
}

/** Adds what is new in some lines. `enough`: no more is told now, the lines are not read to their end. */
async function readLines(
  deps: GatherDeps,
  work: { rule: GatheredRule; lines: readonly Ledger[]; gathered: Gathered; seen: Set<string> },
): Promise<'all' | 'enough'> {
  const { rule, lines, gathered, seen } = work;
  const withNews = new Set<string>();
  let after: string | null = null;
  do {
    const page: EpisodePage = await pageAfter(deps.request, { rule, lines, after });
    for (const episode of await newOnes(deps, rule, page.episodes)) {
      const key = toldKey(rule._id, episode.vulnerability_id, episode.episode);
      withNews.add(episode.line_id);
      if (seen.has(key)) continue;
      seen.add(key);
      add(gathered, rule, episode);
    }
    after = page.next;
    if (after !== null && gathered.episodes.length >= maxTold) return 'enough';
  } while (after !== null);
  for (const ledger of lines) {
    const mark = markOf(rule, ledger);
    gathered.marks.push(mark);
    if (!withNews.has(ledger.line_id)) gathered.quietMarks.push(mark);
  }
  return gathered.episodes.length >= maxTold ? 'enough' : 'all';
}

type EpisodePage = NonNullable<typeof listEpisodes.response>;

async function pageAfter(
  request: Request,
  { rule, lines, after }: { rule: GatheredRule; lines: readonly Ledger[]; after: string | null },
): Promise<EpisodePage> {
  const asked = {
    project_id: rule.project_id,
    line_ids: lines.map(({ line_id }) => line_id),
    threshold: rule.severity_threshold,
    ...{ after, limit: maxListedEpisodes },
  };
  return (await request(listEpisodes, asked)).body;
}

async function newOnes(
  deps: GatherDeps,
  rule: GatheredRule,
  episodes: readonly EpisodeView[],
): Promise<EpisodeView[]> {
  if (episodes.length === 0) return [];
  const keys = episodes.map((episode) => tellingKeys(rule._id, episode));
  const told = await deps.told.among(keys.flat());
  return episodes.filter((_, place) => !keys[place]?.some((key) => told.has(key)));
}

function add(gathered: Gathered, rule: GatheredRule, episode: EpisodeView): void {
  const { vulnerability_id, line_id, severity } = episode;
  gathered.episodes.push({
    _id: toldKey(rule._id, vulnerability_id, episode.episode),
    rule_id: rule._id,
    project_id: rule.project_id,
    ...{ line_id, vulnerability_id, severity },
    episode: new Date(episode.episode),
  });
  gathered.counts[severity] = (gathered.counts[severity] ?? 0) + 1;
  gathered.top = severest(gathered.top, [episode], namedInDigest);
}

function markOf(rule: GatheredRule, ledger: Ledger): MarkDocument {
  return {
    _id: `${rule._id}:${ledger.line_id}`,
    rule_id: rule._id,
    project_id: rule.project_id,
    line_id: ledger.line_id,
    threshold: rule.severity_threshold,
    version: ledger.version,
  };
}
