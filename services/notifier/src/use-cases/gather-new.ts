import {
  listAlertPeriods,
  maxAlertPeriodServices,
  maxListedAlertPeriods,
  type AlertCounts,
  type AlertPeriodView,
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
  '_id' | 'rule_id' | 'project_id' | 'service_id' | 'vulnerability_id' | 'severity'
> & { episode: Date };

/** What is new to a rule now. */
export interface Gathered {
  episodes: NewEpisode[];
  counts: AlertCounts;
  /** The most severe ones, at most `namedInDigest`. */
  top: AlertPeriodView[];
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
  const changed = ledgers.filter(({ service_id, version }) => marks.get(service_id) !== version);
  const seen = new Set<string>();
  for (let first = 0; first < changed.length; first += maxAlertPeriodServices) {
    const lines = changed.slice(first, first + maxAlertPeriodServices);
    const read = await readLines(deps, { rule, lines, gathered, seen });
    for (const { service_id, traceparent } of lines)
      if (traceparent && gathered.episodes.some((one) => one.service_id === service_id))
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
      withNews.add(episode.service_id);
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
    if (!withNews.has(ledger.service_id)) gathered.quietMarks.push(mark);
  }
  return gathered.episodes.length >= maxTold ? 'enough' : 'all';
}

type EpisodePage = NonNullable<typeof listAlertPeriods.response>;

async function pageAfter(
  request: Request,
  { rule, lines, after }: { rule: GatheredRule; lines: readonly Ledger[]; after: string | null },
): Promise<EpisodePage> {
  const asked = {
    project_id: rule.project_id,
    service_ids: lines.map(({ service_id }) => service_id),
    threshold: rule.severity_threshold,
    ...{ after, limit: maxListedAlertPeriods },
  };
  return (await request(listAlertPeriods, asked)).body;
}

async function newOnes(
  deps: GatherDeps,
  rule: GatheredRule,
  episodes: readonly AlertPeriodView[],
): Promise<AlertPeriodView[]> {
  if (episodes.length === 0) return [];
  const keys = episodes.map((episode) => tellingKeys(rule._id, episode));
  const told = await deps.told.among(keys.flat());
  return episodes.filter((_, place) => !keys[place]?.some((key) => told.has(key)));
}

function add(gathered: Gathered, rule: GatheredRule, episode: AlertPeriodView): void {
  const { vulnerability_id, service_id, severity } = episode;
  gathered.episodes.push({
    _id: toldKey(rule._id, vulnerability_id, episode.episode),
    rule_id: rule._id,
    project_id: rule.project_id,
    ...{ service_id, vulnerability_id, severity },
    episode: new Date(episode.episode),
  });
  gathered.counts[severity] = (gathered.counts[severity] ?? 0) + 1;
  gathered.top = severest(gathered.top, [episode], namedInDigest);
}

function markOf(rule: GatheredRule, ledger: Ledger): MarkDocument {
  return {
    _id: `${rule._id}:${ledger.service_id}`,
    rule_id: rule._id,
    project_id: rule.project_id,
    service_id: ledger.service_id,
    threshold: rule.severity_threshold,
    version: ledger.version,
  };
}
