import { hostname, tmpdir } from 'node:os';
import { loadContract, type Contract } from '@bomtrail/api-contract';
import { openHttpServer, requestTimeoutMs, type HttpServer } from '@bomtrail/http-edge';
import { readCoverage, readFeeds, sbomsFinished, uploadsWaiting } from '@bomtrail/messages';
import { onBroadcast } from '@bomtrail/messaging';
import { createUploadPauses, type Composition, type Kit } from '@bomtrail/service-runtime';
import { composeAdmission } from './compose-admission';
import { connectionLimits, grpcProxyHops } from './connection-limits';
import type { Settings } from './config';
import { credentialsOf } from './grpc/credentials';
import { openGrpcServer } from './grpc/server';
import { createApp } from './http/app';
import { routes } from './http/routes';
import { servedDocument } from './http/served-document';
import { createMetrics } from './metrics';
import { gatewayHandlers } from './rpc/handlers';
import {
  createAdmissionQueue,
  passing,
  releasingSmall,
  throughBoth,
} from './uploads/admission-queue';
import { announceWaiting } from './uploads/announce-waiting';
import { createKnownDocuments } from './uploads/known-documents';
import { receiveUpload, usualPatience, type UploadPatience } from './http/upload/receive-upload';
import { periodically } from './shared/periodically';
import { removeStaleFiles } from './uploads/store-file';
import { storeBootstrapKey } from './api-keys/store-bootstrap-key';
import { cacheBriefly } from './shared/cache-briefly';
import { reportReadiness } from './readiness/report-readiness';
import { pollFinished } from './sboms/poll-finished';
import { createScanWaits } from './sboms/scan-waits';
import { builtPage } from './web/built-page';
import type { PageFiles } from './web/page-files';

/** Maximum age of the cached advisory data status. */
const advisoryDataMaxAgeMs = 2_000;

/** Readiness needs no key: it calls the other services at most once in this time. */
const readinessMaxAgeMs = 500;

/** Maximum age of the feed data in readiness; feeds change by the hour. */
const feedsMaxAgeMs = 5_000;

/**
 * Maximum callers that wait for scans in one process; each takes a connection and some kilobytes.
 */
const mostWaits = { total: 10_000, perKey: 2_500 };
/** Messages over gRPC are held in memory; this many bytes for each upload are always there. */
const smallMessageBytes = 1024 * 1024;
/** Poll interval for finished scans, because broadcasts may be lost. */
const pollFinishedEveryMs = 5_000;

/** The running public transports. */
export interface Transports extends HttpServer {
  readonly grpcPort: number;
}

/** A composition that exposes the ports of REST and gRPC. */
export type GatewayComposition = Omit<Composition, 'open'> & { open(): Promise<Transports> };

/** Replacements for tests. */
export interface Parts {
  contract?: Contract | undefined;
  patience?: UploadPatience | undefined;
  /** See `MethodLimitOptions`. */
  grpcRequestMs?: number | undefined;
  page?: PageFiles | undefined;
}

/** Builds the gateway. */
export function compose(
  kit: Kit,
  settings: Settings,
  { contract: other, patience = usualPatience, grpcRequestMs: requestMs, page }: Parts = {},
): GatewayComposition {
  const contract =
    other ??
    loadContract({
      allowPrivateWebhooks: settings.ALERT_ALLOW_PRIVATE_WEBHOOKS,
      maxRecipients: settings.ALERT_MAX_RECIPIENTS,
      recipientDomains: settings.ALERT_EMAIL_DOMAINS ?? [],
    });
  const { log, request, tracer } = kit;
  const metrics = createMetrics(kit.registry);
  const admission = composeAdmission(kit, settings);
  const { keyCheck, manageKeys, audit, trail } = admission;
  const document = servedDocument(contract.document, settings.PUBLIC_URL);
  const knownDocuments = createKnownDocuments();
  const waits = createScanWaits(mostWaits);
  const tempFolder = settings.BOMTRAIL_TEMP_DIR ?? tmpdir();
  const uploadPauses = createUploadPauses();
  const host = hostname();
  const uploads = {
    isKnown: (sha256: string) => knownDocuments.has(sha256),
    admission: announceWaiting(
      createAdmissionQueue({
        atOnce: settings.UPLOAD_CONCURRENCY,
        waiting: settings.UPLOAD_QUEUE,
      }),
      () => {
        uploadPauses.heard({ host });
        kit.broadcast(uploadsWaiting, { host });
      },
    ),
    directory: tempFolder,
    maxBytes: settings.MAX_UPLOAD_BYTES,
  };
  const checks = createAdmissionQueue({
    atOnce: settings.CHECK_CONCURRENCY,
    waiting: settings.UPLOAD_QUEUE,
    what: 'checks',
  });
  const checkAdmission = passing(checks, () => uploadPauses.pass());
  const messagesInMemory = releasingSmall(
    createAdmissionQueue({
      atOnce: settings.GRPC_UPLOAD_CONCURRENCY,
      waiting: settings.UPLOAD_QUEUE,
    }),
    smallMessageBytes,
  );
  const feeds = cacheBriefly(async () => (await request(readFeeds, {})).body, {
    maxAgeMs: feedsMaxAgeMs,
  });
  const app = createApp({
    log,
    tracer,
    metrics,
    contract,
    ...keyCheck,
    signIn: admission.signIn,
    hstsSeconds: settings.HSTS_MAX_AGE_SECONDS,
    page: settings.WEB_PAGE ? (page ?? builtPage(log)) : undefined,
    trail,
    routes: routes({
      ...manageKeys,
      audit,
      receiveUpload: receiveUpload({ ...uploads, patience }),
      receiveCheck: receiveUpload({ ...uploads, admission: checkAdmission, patience }),
      knownDocuments,
      waits,
      feeds,
      advisoryData: cacheBriefly(
        async () => (await request(readCoverage, { digest: null })).body.advisory_data,
        { maxAgeMs: advisoryDataMaxAgeMs },
      ),
      readiness: cacheBriefly(() => reportReadiness({ ...kit, feeds }), {
        maxAgeMs: readinessMaxAgeMs,
      }),
      openapi: document,
      build: {
        version: document.info.version,
        commit: settings.BOMTRAIL_COMMIT ?? null,
        builtAt: settings.BOMTRAIL_BUILT_AT ?? null,
        signIn: admission.signIn !== undefined,
      },
    }),
  });

  return {
    indexes: admission.indexes,
    async start() {
      await admission.start();
      await removeStaleFiles(tempFolder, 2 * requestTimeoutMs);
      const key = settings.BOMTRAIL_BOOTSTRAP_API_KEY;
      if (key && !(await storeBootstrapKey(manageKeys, key))) {
        log.warn('The key of BOMTRAIL_BOOTSTRAP_API_KEY was revoked and stays revoked.');
      }
    },
    rpc: gatewayHandlers(manageKeys),
    broadcasts: [onBroadcast(sbomsFinished, ({ sbom_ids }) => waits.finish(sbom_ids))],
    async open() {
      admission.open();
      const { HTTP_HOST: address, HTTP_PORT: port, GRPC_HOST: grpcHost = address } = settings;
      const limits = connectionLimits(settings, { log, metrics });
      const rest = await openHttpServer({
        host: address,
        port,
        listener: app,
        connections: limits.rest,
      });
      log.info({ port: rest.port }, 'The REST API listens.');
      const grpc = await openGrpcServer(
        {
          host: grpcHost,
          port: settings.GRPC_PORT,
          credentials: credentialsOf(settings),
          connections: limits.grpc,
          watches: settings.MAX_GRPC_WATCHES,
          requestMs,
        },
        {
          log,
          tracer,
          metrics,
          request,
          contract,
          trail,
          knownDocuments,
          ...keyCheck,
          ...uploads,
          feeds,
          admission: throughBoth(messagesInMemory, uploads.admission),
          checkAdmission: throughBoth(messagesInMemory, checkAdmission),
          proxyHops: grpcProxyHops(settings),
        },
      );
      const tls = settings.GRPC_TLS_CERT !== undefined;
      log.info({ port: grpc.port, tls }, 'The gRPC API listens.');
      const asking = periodically(() => pollFinished({ waits, request }), {
        everyMs: pollFinishedEveryMs,
        what: 'Polling finished scans',
        log,
      });
      return {
        port: rest.port,
        grpcPort: grpc.port,
        async close() {
          waits.close();
          await Promise.all([rest.close(), grpc.close(), asking.stop()]);
        },
      };
    },
    stop: () => admission.stop(),
  };
}
