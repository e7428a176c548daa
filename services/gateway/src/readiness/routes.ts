import { Readable } from 'node:stream';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Readiness } from './domain/readiness';
import { json, route, type Reply, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';

/** Body of `GET /version`. */
export interface Build {
  version: string;
  commit: string | null;
  builtAt: string | null;
  /** Whether people can sign in on the page. */
  signIn: boolean;
}

export interface OperationRouteDeps {
  build: Build;
  readiness: () => Promise<Readiness>;
  /** The served contract. */
  openapi: object;
}

/** Operational endpoints, without a key. */
export function operationRoutes(deps: OperationRouteDeps): Routes {
  const { version, commit, builtAt, signIn } = deps.build;
  const openapi = documentReplies(deps.openapi);
  return {
    getHealth: route({
      receive: receiveNothing,
      handle: async () => json({ status: 'ok', version }),
    }),
    getReadiness: route({
      receive: receiveNothing,
      handle: async () => {
        const readiness = await deps.readiness();
        return json(readiness, readiness.status === 'not_ready' ? 503 : 200);
      },
    }),
    getVersion: route({
      receive: receiveNothing,
      handle: async () => json({ version, commit, built_at: builtAt, api: 'v1', sign_in: signIn }),
    }),
    getOpenapi: route({
      receive: receiveNothing,
      handle: async ({ request }) =>
        openapi((request.acceptsEncodings([...encodings]) || 'identity') as Encoding),
    }),
  };
}

const encodings = ['br', 'gzip', 'identity'] as const;
type Encoding = (typeof encodings)[number];

/**
 * The served contract, serialised once and compressed once per encoding on first use: it is long
 * and needs no key.
 */
function documentReplies(document: object): (encoding: Encoding) => Reply {
  const plain = Buffer.from(JSON.stringify(document));
  const pack: Record<Encoding, () => Buffer> = {
    br: () => brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
    gzip: () => gzipSync(plain),
    identity: () => plain,
  };
  const packed = new Map<Encoding, Buffer>();
  return (encoding) => {
    const bytes = packed.get(encoding) ?? pack[encoding]();
    packed.set(encoding, bytes);
    return {
      kind: 'stream',
      headers: {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Length': String(bytes.length),
        // Also prevents the compression middleware from compressing it again.
        'Cache-Control': 'no-transform',
        Vary: 'Accept-Encoding',
        ...(encoding === 'identity' ? {} : { 'Content-Encoding': encoding }),
      },
      content: () => Readable.from([bytes]),
    };
  };
}
