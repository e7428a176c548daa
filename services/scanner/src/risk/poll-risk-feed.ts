import type { Logger } from '@bomtrail/telemetry';
import type { Held } from '../work/under-lease';
import type { HttpOptions } from '../feeds/sources/http-get';
import { withoutCredentials } from '../feeds/domain/feed-view';
import { editionError, type RiskFeedState } from './domain/risk-feed-state';
import type { RiskScoreStore, RiskStateStore, RiskValues } from './ports';
import { openRiskFile, type RiskSource } from './sources/open-risk-file';
import { parseEpss } from './sources/parse-epss';
import { parseKev } from './sources/parse-kev';
import { linesOf, textOf, unpacked } from './sources/read-lines';

export interface PollRiskFeedDeps {
  log: Logger;
  riskStates: RiskStateStore;
  riskScores: RiskScoreStore;
  http: HttpOptions;
}

/** A feed file that was read to its end. */
interface Edition {
  content: RiskValues;
  asOf: Date | null;
  fingerprint: string | null;
}

/**
 * Polls one risk feed and loads what is new. An edition is read to its end before anything is
 * written, so that a damaged file changes nothing; a failure is stored and logged. The caller holds
 * the lease.
 *
 * @returns the number of CVEs whose value changed
 */
export async function pollRiskFeed(
  deps: PollRiskFeedDeps,
  source: RiskSource,
  held: Held,
): Promise<number> {
  const states = await deps.riskStates.read();
  let stored = states[source.feed];
  const origin = withoutCredentials(source.address);
  try {
    const known = stored.origin === origin ? stored.fingerprint : null;
    const edition = await openRiskFile(
      source,
      { known, http: deps.http, signal: held.signal },
      async (body, fingerprint): Promise<Edition> => ({
        ...(await readEdition(source, unpacked(body))),
        fingerprint,
      }),
    );
    held.assertHeld();
    const checked = { checked_at: new Date(), error: null, failed_at: null };
    if (edition === 'unchanged') {
      await deps.riskStates.set(source.feed, { ...stored, ...checked }, states.revision);
      return 0;
    }
    const records = edition.content.values.size;
    const problem = editionError(stored, { origin, asOf: edition.asOf, records }, Date.now());
    if (problem !== null) throw new Error(problem);
    const next = states.revision + 1;
    // Values are replaced page by page: if that is interrupted, the edition loaded before has to be read again.
    await deps.riskStates.forgetEdition(source.feed, stored.fingerprint);
    stored = { ...stored, fingerprint: null };
    const changed = await deps.riskScores.replace(edition.content, next, held);
    held.assertHeld();
    const { asOf: as_of, fingerprint } = edition;
    const revision = changed > 0 ? next : states.revision;
    await deps.riskStates.set(
      source.feed,
      {
        ...checked,
        origin,
        fingerprint,
        as_of,
        loaded_at: checked.checked_at,
        records,
        revision: changed > 0 ? next : stored.revision,
      },
      revision,
    );
    deps.log.info({ feed: source.feed, records, changed, as_of }, 'Loaded a risk feed.');
    return changed;
  } catch (error) {
    held.assertHeld();
    await recordFailure(deps, source, { stored, revision: states.revision, error: error as Error });
    return 0;
  }
}

async function readEdition(
  { feed }: RiskSource,
  body: AsyncIterable<Uint8Array>,
): Promise<Omit<Edition, 'fingerprint'>> {
  if (feed === 'epss') {
    const { asOf, scores: values } = await parseEpss(linesOf(body));
    return { asOf, content: { feed, values } };
  }
  const { asOf, entries: values } = parseKev(await textOf(body));
  return { asOf, content: { feed, values } };
}

async function recordFailure(
  deps: PollRiskFeedDeps,
  source: RiskSource,
  { stored, revision, error }: { stored: RiskFeedState; revision: number; error: Error },
): Promise<void> {
  const { message: reason } = error;
  const failed = { ...stored, error: reason, failed_at: new Date() };
  await deps.riskStates.set(source.feed, failed, revision);
  const name = source.feed.toUpperCase();
  if (source.isConfigured)
    deps.log.warn(
      { feed: source.feed, reason },
      `The feed ${name} could not be loaded: ${reason}. The values loaded before stay in force. Check BOMTRAIL_${name}_SOURCE; loading will be retried.`,
    );
  else
    deps.log.info(
      { feed: source.feed, reason },
      `The public feed ${name} could not be loaded: ${reason}. On a machine without internet set BOMTRAIL_${name}_SOURCE to a copy, or to "off".`,
    );
}
