import { licensesView } from './licenses-view';
import { publicService } from '../shared/public-service';
import type { GateThreshold } from '@bomtrail/messages';
import { judgeSbom, type JudgedSbom, type JudgeSbomDeps } from './judge-sbom';
import { route, type Reply, type Routes } from '../http/call';
import { receiveNothing } from '../http/json-body';
import { spliceJson } from '../shared/splice-json';
import { whileConnected } from '../http/while-connected';

interface VerdictQuery {
  fail_on: GateThreshold;
  only_new: boolean;
  fail_on_kev: boolean;
  max_epss?: number;
  only_fixable: boolean;
  fail_on_license: boolean;
  min_quality?: number;
  baseline: string;
  wait: number;
}

/** The CI gate. */
export function verdictRoutes(deps: JudgeSbomDeps): Routes {
  return {
    getSbomVerdict: route<{ path: { sbom_id: string }; query: VerdictQuery }>({
      receive: receiveNothing,
      handle: ({ caller, path, query, request }) =>
        whileConnected(request, async (ended) => {
          const wait = { seconds: query.wait, ended };
          return verdictReply(await judgeSbom(deps, caller, { ...path, ...query, wait }), query);
        }),
    }),
  };
}

function verdictReply(judged: JudgedSbom, query: VerdictQuery): Reply {
  const { fail_on, only_new, fail_on_kev, max_epss = null, only_fixable } = query;
  const { fail_on_license, min_quality = null } = query;
  const { record, baseline, found } = judged;
  const head = {
    sbom_id: record.id,
    project_id: record.project_id,
    ...publicService(record),
    version: record.version,
    scan_status: record.scan_status,
    verdict: judged.verdict,
    reasons: judged.reasons,
    caveats: judged.caveats,
    fail_on,
    only_new,
    fail_on_kev,
    max_epss,
    only_fixable,
    fail_on_license,
    min_quality,
    baseline: baseline && {
      sbom_id: baseline.id,
      version: baseline.version,
      scan_status: baseline.scan_status,
    },
    counts: found?.counts ?? null,
    new_counts: found?.new_counts ?? null,
    accepted: found?.accepted ?? null,
    decided: found?.decided ?? null,
    failing_total: found?.failing ?? 0,
    failing_by_rule: found?.failing_by_rule ?? null,
    licenses: licensesView(judged.licenses),
    quality: judged.quality === 'unknown' ? null : judged.quality,
    coverage: judged.coverage,
    advisory_data: judged.advisoryData,
    oldest_feed_age_seconds: judged.oldestAgeSeconds,
  };
  return {
    kind: 'stream',
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    content: () => spliceJson(head, [{ name: 'failing', packed: judged.failing }]),
  };
}
