import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import { handles } from '@bomtrail/messaging';
import type { TestBus } from '@bomtrail/testkit';

/** What catalog, reconciler, gateway and scanner answer to rules with options. */
export interface FakeReminders {
  /** By project: decisions that end (under the empty text those for all projects), and open vulnerabilities. */
  decisions: Map<string, Partial<messages.ListedAcceptance>[]>;
  vulnerabilities: Map<string, Partial<messages.VulnerabilityView>[]>;
  /** By project; under the empty text those of none. */
  keys: Map<string, messages.ExpiringKey[]>;
  feeds: Partial<messages.FeedView>[];
  riskFeeds: Partial<messages.RiskFeedView>[];
  vexSources: Partial<messages.VexSourceView>[];
  /** Ids of services by owner, or by label. */
  owned: Map<string, string[]>;
  /** Services that do not respond. */
  away: Set<'scanner' | 'catalog'>;
}

export function fakeReminders(bus: TestBus): FakeReminders {
  const fakes: FakeReminders = {
    decisions: new Map(),
    vulnerabilities: new Map(),
    keys: new Map(),
    feeds: [],
    riskFeeds: [],
    vexSources: [],
    owned: new Map(),
    away: new Set(),
  };
  const expectHere = (service: 'scanner' | 'catalog'): void => {
    if (fakes.away.has(service)) throw new AppError('service_unavailable');
  };
  const page = <Item>(
    all: readonly Item[],
    { page, per_page }: { page: number; per_page: number },
  ) => {
    const items = all.slice((page - 1) * per_page, page * per_page);
    return { items, total: all.length };
  };
  bus.serve(
    handles(messages.listAcceptances, async (query) => {
      const of = query.is_global ? '' : String(query.project_id);
      const all = (fakes.decisions.get(of) ?? []).filter(
        ({ expires_at, source }) =>
          source === query.source &&
          (expires_at ?? '9') < (query.expires_before ?? '9') &&
          (expires_at ?? '9') > (query.expires_after ?? '0'),
      );
      return { body: page(all as messages.ListedAcceptance[], query) };
    }),
  );
  bus.serve(
    handles(messages.listActive, async (query) => {
      const [limits] = query.overdue?.limits ?? [];
      const all = (fakes.vulnerabilities.get(String(query.project_id)) ?? []).filter(
        ({ severity, detected_at }) =>
          (detected_at ?? '9') < (limits?.detected_before[severity ?? 'none'] ?? '0'),
      );
      return { body: page(all as messages.VulnerabilityView[], query) };
    }),
  );
  bus.serve(
    handles(messages.listExpiringKeys, async ({ project_id, before }) => {
      const keys = fakes.keys.get(project_id ?? '') ?? [];
      return { body: { keys: keys.filter(({ expires_at }) => expires_at < before) } };
    }),
  );
  bus.serve(
    handles(messages.readFeeds, async () => {
      expectHere('scanner');
      const feeds = fakes.feeds as messages.FeedView[];
      const status = { advisory_data: 'feed', revision: 1, applied: true } as const;
      const risk_feeds = fakes.riskFeeds as messages.RiskFeedView[];
      const vex_sources = fakes.vexSources as messages.VexSourceView[];
      return { body: { ...status, feeds, risk_feeds, vex_sources } };
    }),
  );
  bus.serve(
    handles(messages.findOwnedServices, async ({ owner, labels = [], after = null }) => {
      expectHere('catalog');
      const of = (name: string) => fakes.owned.get(name) ?? [];
      const all = owner === undefined ? labels.flatMap(of) : of(owner);
      // Two a page, so that a rule has to read on.
      const rest = [...all].sort().filter((id) => id > (after ?? ''));
      return { body: { service_ids: rest.slice(0, 2), complete: rest.length <= 2 } };
    }),
  );
  return fakes;
}
