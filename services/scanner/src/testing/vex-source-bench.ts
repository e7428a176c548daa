import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { AppError, deleteVex, importVex, listVex } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import { createLeases } from '@bomtrail/mongo';
import { createLogger } from '@bomtrail/telemetry';
import { startFakeVexServer } from '@bomtrail/testkit';
import type { PollVexSourcesDeps } from '../vex-sources/poll-vex-sources';
import { vexSourcesOf } from '../vex-sources/sources/vex-sources';
import { createVexSourceStore } from '../vex-sources/store/vex-source-store';
import { startTestDatabases } from './test-databases';

export interface Document {
  id: string;
  version: number;
  [field: string]: unknown;
}

/** What the reconciler stores: the newest version of each document, by its id in itself. */
function fakeReconciler() {
  const stored = new Map<string, number>();
  const feeds = new Map<string, string | undefined>();
  const request = async (
    definition: unknown,
    body: { vex_id?: string; feed?: string },
    attachment?: Uint8Array,
  ): Promise<unknown> => {
    if (definition === deleteVex) {
      if (!stored.delete(body.vex_id ?? '')) throw new AppError('vex_not_found');
      return { body: { deleted: true } };
    }
    if (definition === listVex) {
      const items = [...stored.keys()].map((id) => ({ id, feed: feeds.get(id) ?? null }));
      return { body: { items, total: items.length } };
    }
    if (definition !== importVex) throw new Error('an unexpected request');
    const text = gunzipSync(attachment ?? Buffer.alloc(0)).toString();
    if (text.startsWith('<')) throw new AppError('malformed_json');
    const { id, version } = JSON.parse(text) as Document;
    if (version < 0) throw new AppError('invalid_vex', 'statements is missing');
    if (version < (stored.get(id) ?? 0)) throw new AppError('vex_outdated');
    stored.set(id, version);
    feeds.set(id, body.feed);
    return { body: { id, sha256: createHash('sha256').update(text).digest('hex') } };
  };
  return { stored, request: request as unknown as Request };
}

/** Databases, a server of VEX documents, and a reconciler that stores their ids. */
export async function startVexSourceBench() {
  const databases = await startTestDatabases();
  const server = await startFakeVexServer();
  let count = 0;

  async function newDeps(...addresses: string[]) {
    const db = await databases.open(`vex${(count += 1)}`);
    const http = { responseMs: 5_000, stallMs: 5_000, totalMs: 10_000 };
    const { stored, request } = fakeReconciler();
    const log = createLogger({ service: 'scanner', level: 'fatal', format: 'json' });
    const vexSourceStore = createVexSourceStore(db);
    const deps: PollVexSourcesDeps = {
      log,
      request,
      vexSourceStore,
      vexIntervalMs: 0,
      leases: createLeases(db),
      vexSources: vexSourcesOf(addresses, http),
      signal: new AbortController().signal,
    };
    const state = async () => (await vexSourceStore.states())[0];
    /** Makes it longer ago since when sources are not watched. */
    async function unwatchedFor(ms: number): Promise<void> {
      for (const one of await vexSourceStore.states())
        if (one.unwatched_since)
          await vexSourceStore.save({ ...one, unwatched_since: new Date(Date.now() - ms) });
    }
    return { deps, stored: () => Object.fromEntries(stored), state, unwatchedFor, db };
  }

  /** A CSAF provider with a ROLIE feed of these documents. */
  function putProvider(documents: readonly Document[], updated = '2026-01-01T00:00:00Z'): string {
    server.put('/csaf/provider-metadata.json', {
      distributions: [{ rolie: { feeds: [{ url: `${server.url}/csaf/feed.json` }] } }],
    });
    for (const one of documents) server.put(`/csaf/${one.id}.json`, one);
    server.put('/csaf/feed.json', {
      feed: {
        entry: documents.map(({ id, version }) => ({
          updated: `${updated}${version}`,
          link: [{ rel: 'self', href: `${server.url}/csaf/${id}.json` }],
        })),
      },
    });
    return `${server.url}/csaf/provider-metadata.json`;
  }

  return {
    server,
    newDeps,
    putProvider,
    async stop(): Promise<void> {
      server.close();
      await databases.stop();
    },
  };
}
