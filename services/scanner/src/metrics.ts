import { singleFlight } from '@bomtrail/concurrency';
import { watchValue } from '@bomtrail/service-runtime';
import { Counter, Histogram, type Registry } from 'prom-client';
import { withoutCredentials } from './feeds/domain/feed-view';
import type { VexSourceState } from './vex-sources/domain/vex-source-state';
import type { VexSource, VexSourceStore } from './vex-sources/ports';
import { currentAsOf } from './feeds/domain/feed-data-status';
import { ageOf, type RiskFeedState } from './risk/domain/risk-feed-state';
import type { RiskStateStore } from './risk/ports';
import type { RiskSource } from './risk/sources/open-risk-file';
import type { FeedState } from './feeds/domain/feed-state';
import type { FeedStateStore } from './feeds/store/feed-state-store';
import type { WaitingScanStore } from './feeds/store/waiting-scan-store';

export type Metrics = ReturnType<typeof createMetrics>;

/** Metrics of the scanner. Dashboards and alert rules use the names. */
export function createMetrics(registry: Registry) {
  const registers = [registry];
  return {
    scans: new Counter({
      name: 'bomtrail_scans_total',
      help: 'Scans of SBOMs by lane and result',
      labelNames: ['lane', 'result'],
      registers,
    }),
    scanSeconds: new Histogram({
      name: 'bomtrail_scan_duration_seconds',
      help: 'Duration of a scan',
      labelNames: ['lane'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60],
      registers,
    }),
    versionsEvaluated: new Counter({
      name: 'bomtrail_package_versions_evaluated_total',
      help: 'Package versions assessed by the advisories of their package',
      registers,
    }),
    setsEvaluated: new Counter({
      name: 'bomtrail_component_sets_evaluated_total',
      help: 'Evaluated component sets by cause: upload, advisory change or change of the rules',
      labelNames: ['cause'],
      registers,
    }),
    undetermined: new Counter({
      name: 'bomtrail_components_undetermined_total',
      help: 'Undetermined components of evaluated sets by reason',
      labelNames: ['reason'],
      registers,
    }),
  };
}

/** Registers gauges of the feed state, read on each scrape. */
export function watchFeed(registry: Registry, feed: Pick<FeedStateStore, 'read'>): void {
  const read = singleFlight(() => feed.read());
  const ofParts = (
    name: string,
    help: string,
    valuesOf: (state: FeedState) => (readonly [part: string, value: number])[],
  ): void =>
    watchValue(registry, { name, help, labelNames: ['part'] }, async () =>
      valuesOf(await read()).map(([part, value]) => ({ labels: { part }, value })),
    );
  ofParts('bomtrail_feed_records', 'Advisories in the loaded edition', ({ parts }) =>
    parts.map(({ label, records }) => [label, records]),
  );
  ofParts(
    'bomtrail_feed_rejected_records',
    'Unreadable records of the loaded edition',
    ({ parts }) => parts.map(({ label, rejected }) => [label, rejected]),
  );
  ofParts(
    'bomtrail_feed_failed',
    '1 when the last poll of the part (`all`: of a folder or zip as a whole) failed; its data stays',
    ({ parts, source_error }) => [
      ...(source_error ? [['all', 1] as const] : []),
      ...parts.map(({ label, error }) => [label, error === null ? 0 : 1] as const),
    ],
  );
  watchValue(
    registry,
    {
      name: 'bomtrail_feed_age_seconds',
      help: 'Age of the advisories of an ecosystem: since the last successful poll, or the time of the newest file',
      labelNames: ['ecosystem'],
    },
    async () =>
      [...currentAsOf((await read()).parts)].map(([ecosystem, asOf]) => ({
        labels: { ecosystem },
        value: Math.max(0, Date.now() - asOf) / 1000,
      })),
  );
}

/** Registers gauges of the risk feeds that are on, read on each scrape. */
export function watchRiskFeeds(
  registry: Registry,
  states: Pick<RiskStateStore, 'read'>,
  sources: readonly RiskSource[],
): void {
  const read = singleFlight(() => states.read());
  const watch = (name: string, help: string, valueOf: (state: RiskFeedState) => number | null) =>
    watchValue(registry, { name, help, labelNames: ['feed'] }, async () => {
      const current = await read();
      return sources.flatMap(({ feed }) => {
        const value = valueOf(current[feed]);
        return value === null ? [] : [{ labels: { feed }, value }];
      });
    });
  watch(
    'bomtrail_risk_feed_age_seconds',
    'Age of the EPSS or KEV values: since the date that the file names, else since it was loaded',
    (state) => secondsOf(ageOf(state, Date.now())),
  );
  watch(
    'bomtrail_risk_feed_failed',
    '1 when the last poll of EPSS or KEV failed; the values stay',
    ({ error }) => (error === null ? 0 : 1),
  );
}

const secondsOf = (ms: number | null): number | null => ms && ms / 1000;

/** Registers gauges of the watched sources of VEX documents, read on each scrape. */
export function watchVexSources(
  registry: Registry,
  store: Pick<VexSourceStore, 'states' | 'rejected'>,
  sources: readonly VexSource[],
): void {
  const read = singleFlight(() => store.states());
  const watch = (name: string, help: string, valueOf: (state: VexSourceState) => number | null) =>
    watchValue(registry, { name, help, labelNames: ['source'] }, async () => {
      const states = sources.length === 0 ? [] : await read();
      return sources.flatMap(({ origin }) => {
        const state = states.find((one) => one.origin === origin);
        const value = state ? valueOf(state) : null;
        return value === null ? [] : [{ labels: { source: withoutCredentials(origin) }, value }];
      });
    });
  watch(
    'bomtrail_vex_source_age_seconds',
    'Time since the last successful poll of a watched source of VEX documents',
    ({ checked_at }) => checked_at && Math.max(0, Date.now() - checked_at.getTime()) / 1000,
  );
  watch(
    'bomtrail_vex_source_failed',
    '1 when the last poll of a source of VEX documents failed; its documents stay',
    ({ error }) => (error === null ? 0 : 1),
  );
  watchValue(
    registry,
    {
      name: 'bomtrail_vex_source_rejected_documents',
      help: 'Documents of a source that were rejected as they are now',
      labelNames: ['source'],
    },
    () =>
      Promise.all(
        sources.map(async ({ origin }) => ({
          labels: { source: withoutCredentials(origin) },
          value: (await store.rejected(origin, 1)).total,
        })),
      ),
  );
}

/** Registers a gauge of the scans that wait for a first load. */
export function watchWaiting(registry: Registry, waiting: Pick<WaitingScanStore, 'count'>): void {
  watchValue(
    registry,
    {
      name: 'bomtrail_scans_waiting',
      help: 'Scans that wait for the first load of their advisories',
    },
    async () => [{ value: await waiting.count() }],
  );
}
