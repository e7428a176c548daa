import { checkDocument, type CheckDocumentDeps, type CheckGate } from './check-document';
import { licensesView } from '../gate/licenses-view';
import { whileConnected } from '../http/while-connected';
import { route, type Reply, type Route, type Routes } from '../http/call';
import { spliceJson } from '../shared/splice-json';
import type { ReceivedFile } from '../uploads/received-file';
import { uploadTarget } from '../uploads/upload-sbom';

interface CheckBody {
  project_id?: string;
  project_slug?: string;
  version?: string;
  service_name?: string;
  file: ReceivedFile;
}

export interface CheckRouteDeps extends CheckDocumentDeps {
  receiveCheck: Route['receive'];
}

/** Judging a document without storing it. */
export function checkRoutes(deps: CheckRouteDeps): Routes {
  return {
    checkSbom: route<{ query: CheckGate; body: CheckBody }>({
      receive: deps.receiveCheck,
      handle: ({ caller, query, body, request }) =>
        whileConnected(request, async (gone) => {
          const check = { target: uploadTarget(body), file: body.file, gate: query, gone };
          return checkReply(await checkDocument(deps, caller, check), { query, body });
        }),
    }),
  };
}

function checkReply(
  checked: Awaited<ReturnType<typeof checkDocument>>,
  { query, body }: { query: CheckGate; body: CheckBody },
): Reply {
  const { fail_on, only_new, fail_on_kev, max_epss = null, only_fixable } = query;
  const { fail_on_license, min_quality = null } = query;
  const { parsed, scope, outcome } = checked;
  const { found } = outcome;
  const { baseline } = scope ?? {};
  const head = {
    project_id: scope?.project_id ?? null,
    service_id: scope && scope.service_name !== null ? scope.service_id : null,
    service_name: scope ? scope.service_name : (body.service_name ?? null),
    version: body.version ?? null,
    format: parsed.format,
    spec_version: parsed.spec_version,
    dependency_count: parsed.dependency_count,
    sha256: body.file.sha256,
    verdict: checked.verdict,
    reasons: checked.reasons,
    caveats: checked.caveats,
    fail_on,
    only_new,
    fail_on_kev,
    max_epss,
    only_fixable,
    fail_on_license,
    min_quality,
    baseline: baseline
      ? {
          sbom_id: baseline.id,
          version: baseline.version,
          scan_status: baseline.scan_status,
        }
      : null,
    counts: found.counts,
    new_counts: found.new_counts,
    accepted: found.accepted,
    decided: found.decided,
    failing_total: found.failing,
    failing_by_rule: found.failing_by_rule,
    licenses: licensesView(checked.licenses),
    quality: parsed.quality,
    coverage: checked.coverage,
    advisory_data: outcome.advisory_data,
    oldest_feed_age_seconds: checked.oldestAgeSeconds,
    total: outcome.total,
  };
  const lists = [
    { name: 'failing', packed: checked.failing },
    { name: 'vulnerabilities', packed: checked.vulnerabilities },
  ];
  return {
    kind: 'stream',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    content: () => spliceJson(head, lists),
  };
}
