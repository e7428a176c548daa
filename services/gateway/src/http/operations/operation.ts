import { Readable } from 'node:stream';
import type { Readiness } from '../../domain/readiness';
import { json, route, type Routes } from '../call';
import { receiveNothing } from '../json-body';

/** What `GET /version` tells. */
export interface Build {
  version: string;
  commit: string | null;
  builtAt: string | null;
}

export interface OperationRouteDeps {
  build: Build;
  readiness: () => Promise<Readiness>;
  /** The contract as it is served. */
  openapi: object;
}

/** The endpoints for those who run the product; none needs a key. */
export function operationRoutes(deps: OperationRouteDeps): Routes {
  const { version, commit, builtAt } = deps.build;
  // Written once: it is long, and whoever asks needs no key.
  const openapi = Buffer.from(JSON.stringify(deps.openapi));
  return {
    getHealth: route({
      scopes: null,
      receive: receiveNothing,
      handle: async () => json({ status: 'ok', version }),
    }),
    getReadiness: route({
      scopes: null,
      receive: receiveNothing,
      handle: async () => {
        const readiness = await deps.readiness();
        return json(readiness, readiness.status === 'not_ready' ? 503 : 200);
      },
    }),
    getVersion: route({
      scopes: null,
      receive: receiveNothing,
      handle: async () => json({ version, commit, built_at: builtAt, api: 'v1' }),
    }),
    getOpenapi: route({
      scopes: null,
      receive: receiveNothing,
      handle: async () => ({
        kind: 'stream',
        headers: { 'Content-Type': 'application/json; charset=utf-8' },
        content: () => Readable.from([openapi]),
      }),
    }),
  };
}
