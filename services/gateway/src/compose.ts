import { loadContract, type Contract } from '@bomtrail/api-contract';
import { readFeeds, sbomsFinished } from '@bomtrail/messages';
import { onBroadcast } from '@bomtrail/messaging';
import type { Composition, Kit } from '@bomtrail/service-runtime';
import { storeBootstrapKey } from './api-keys/store-bootstrap-key';
import { composeAdmission } from './compose-admission';
import { composeRest } from './compose-rest';
import { composeUploads } from './compose-uploads';
import type { Settings } from './config';
import { grpcProxyHops } from './connection-limits';
import { usualPatience, type UploadPatience } from './http/upload/receive-upload';
import { createMetrics } from './metrics';
import { openTransports, type Transports } from './open-transports';
import { gatewayHandlers } from './rpc/handlers';
import { pollFinished } from './sboms/poll-finished';
import { createScanWaits } from './sboms/scan-waits';
import { cacheBriefly } from './shared/cache-briefly';
import { periodically } from './shared/periodically';
import type { PageFiles } from './web/page-files';

/** Maximum age of the feed data in readiness; feeds change by the hour. */
const feedsMaxAgeMs = 5_000;

/**
 * Maximum callers that wait for scans in one process; each takes a connection and some kilobytes.
 */
const mostWaits = { total: 10_000, perKey: 2_500 };
/** Poll interval for finished scans, because broadcasts may be lost. */
const pollFinishedEveryMs = 5_000;

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
  const { log, request, tracer } = kit;
  const contract = other ?? contractOf(settings);
  const metrics = createMetrics(kit.registry);
  const admission = composeAdmission(kit, settings);
  const { keyCheck, manageKeys, trail } = admission;
  const uploads = composeUploads(kit, settings);
  const waits = createScanWaits(mostWaits);
  const feeds = cacheBriefly(async () => (await request(readFeeds, {})).body, {
    maxAgeMs: feedsMaxAgeMs,
  });
  const shared = { contract, metrics, feeds };
  const app = composeRest(kit, settings, { ...shared, admission, uploads, waits, patience, page });
  const grpc = {
    ...shared,
    log,
    tracer,
    request,
    trail,
    ...keyCheck,
    ...uploads.receive,
    ...uploads.grpc,
    knownDocuments: uploads.knownDocuments,
    proxyHops: grpcProxyHops(settings),
  };

  return {
    indexes: admission.indexes,
    async start() {
      await admission.start();
      await uploads.removeStaleFiles();
      const key = settings.BOMTRAIL_BOOTSTRAP_API_KEY;
      if (key && !(await storeBootstrapKey(manageKeys, key))) {
        log.warn('The key of BOMTRAIL_BOOTSTRAP_API_KEY was revoked and stays revoked.');
      }
    },
    rpc: gatewayHandlers(manageKeys),
    broadcasts: [onBroadcast(sbomsFinished, ({ sbom_ids }) => waits.finish(sbom_ids))],
    async open() {
      admission.open();
      const transports = await openTransports(settings, { log, metrics, app, grpc, requestMs });
      const polling = periodically(() => pollFinished({ waits, request }), {
        everyMs: pollFinishedEveryMs,
        what: 'Polling finished scans',
        log,
      });
      return {
        ...transports,
        async close() {
          waits.close();
          await Promise.all([transports.close(), polling.stop()]);
        },
      };
    },
    stop: () => admission.stop(),
  };
}

function contractOf(settings: Settings): Contract {
  return loadContract({
    allowPrivateWebhooks: settings.ALERT_ALLOW_PRIVATE_WEBHOOKS,
    maxRecipients: settings.ALERT_MAX_RECIPIENTS,
    recipientDomains: settings.ALERT_EMAIL_DOMAINS ?? [],
  });
}
