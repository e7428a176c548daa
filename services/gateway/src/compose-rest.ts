import type { Contract } from '@bomtrail/api-contract';
import { readCoverage } from '@bomtrail/messages';
import type { Kit } from '@bomtrail/service-runtime';
import type { Admission } from './compose-admission';
import type { Uploads } from './compose-uploads';
import type { Settings } from './config';
import { createApp } from './http/app';
import { routes, type RouteDeps } from './http/routes';
import { servedDocument } from './http/served-document';
import { receiveUpload, type UploadPatience } from './http/upload/receive-upload';
import type { Metrics } from './metrics';
import { createNameServices } from './projects/service-names';
import { reportReadiness } from './readiness/report-readiness';
import { cacheBriefly } from './shared/cache-briefly';
import { builtPage } from './web/built-page';
import type { PageFiles } from './web/page-files';

/** Maximum age of the cached advisory data status. */
const advisoryDataMaxAgeMs = 2_000;

/** Readiness needs no key: it calls the other services at most once in this time. */
const readinessMaxAgeMs = 500;

/** What the REST API shares with gRPC, or a test replaces. */
export interface RestParts extends Pick<RouteDeps, 'waits' | 'feeds'> {
  contract: Contract;
  metrics: Metrics;
  admission: Admission;
  uploads: Uploads;
  patience: UploadPatience;
  /** Instead of the built page. */
  page: PageFiles | undefined;
}

/** Builds the REST API with its page. */
export function composeRest(
  kit: Kit,
  settings: Settings,
  parts: RestParts,
): ReturnType<typeof createApp> {
  const { contract, admission, feeds, patience } = parts;
  const { receive, rest, knownDocuments } = parts.uploads;
  const { log, request, tracer } = kit;
  const openapi = servedDocument(contract.document, settings.PUBLIC_URL);
  return createApp({
    log,
    tracer,
    metrics: parts.metrics,
    contract,
    ...admission.keyCheck,
    signIn: admission.signIn,
    hstsSeconds: settings.HSTS_MAX_AGE_SECONDS,
    page: settings.WEB_PAGE ? (parts.page ?? builtPage(log)) : undefined,
    trail: admission.trail,
    routes: routes({
      ...admission.manageKeys,
      managePeople: admission.managePeople,
      audit: admission.audit,
      receiveUpload: receiveUpload({ ...receive, admission: rest.admission, patience }),
      receiveCheck: receiveUpload({ ...receive, admission: rest.checkAdmission, patience }),
      knownDocuments,
      waits: parts.waits,
      feeds,
      nameServices: createNameServices({ request }),
      advisoryData: cacheBriefly(
        async () => (await request(readCoverage, { digest: null })).body.advisory_data,
        { maxAgeMs: advisoryDataMaxAgeMs },
      ),
      readiness: cacheBriefly(() => reportReadiness({ ...kit, feeds }), {
        maxAgeMs: readinessMaxAgeMs,
      }),
      openapi,
      build: {
        version: openapi.info.version,
        commit: settings.BOMTRAIL_COMMIT ?? null,
        builtAt: settings.BOMTRAIL_BUILT_AT ?? null,
        signIn: admission.signIn !== undefined,
      },
    }),
  });
}
