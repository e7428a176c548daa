import { Readable } from 'node:stream';
import type { components } from '@bomtrail/api-contract';
import * as messages from '@bomtrail/messages';
import { AppError } from '@bomtrail/messages';
import type { NamingDeps } from '../projects/service-names';
import {
  vdrComponent,
  vdrHead,
  vdrRef,
  vdrVulnerability,
  type DisclosedVulnerability,
} from '@bomtrail/vex';
import type { Caller } from '../api-keys/domain/caller';
import { splitArray } from '../csv/split-array';
import { attached, retainedRecord, type SbomDetail } from '../sboms/read-sbom';
import { decidedRows } from './decided-rows';
import { contentOf, decisionsOf } from './decisions-of';

type Dependency = components['schemas']['DependencyResponse'];
type Content = NonNullable<DisclosedVulnerability['decision']>;

/**
 * The components of an SBOM with its vulnerabilities as CycloneDX 1.6, decisions as their analyses. Neither list is in
 * memory as a whole.
 *
 * @throws AppError `document_expired`; `service_unavailable` before its scan, because the report would look clean
 */
export async function exportVdr(
  deps: NamingDeps,
  caller: Caller,
  detail: SbomDetail,
): Promise<() => Readable> {
  const record = retainedRecord(detail.record);
  const { vulnerabilities } = detail;
  if (!vulnerabilities)
    throw new AppError('service_unavailable', `The scan of the SBOM is ${record.scan_status}.`);
  const { id, project_id, sha256, version, created_at } = record;
  const [{ body: project }, { body: identity }] = await Promise.all([
    deps.request(messages.getProject, { project_id, project_slug: null }),
    deps.request(messages.describeSbom, { sha256 }),
  ]);
  const name = record.service_name ?? project.name;
  const scope = { project_id, sbom_id: id };
  const rows = await decidedRows(deps, caller, { scope, project_name: project.name });
  const wanted = new Set(rows.map(({ decision }) => decision.acceptance_id));
  const views = await decisionsOf(deps, project_id, wanted);
  const decided = new Map(rows.map((row) => [row.id, contentOf(row.decision, views, created_at)]));
  const head = vdrHead(
    { id, name, version, ...identity },
    { timestamp: record.scanned_at ?? created_at },
  );
  const dependencies = attached(detail.dependencies);
  return () => Readable.from(report(head, { dependencies, vulnerabilities, decided }));
}

interface Lists {
  dependencies: Uint8Array;
  vulnerabilities: Uint8Array;
  /** By id of the vulnerability. */
  decided: ReadonlyMap<string, Content>;
}

/** Vulnerabilities come first, so that components which are no dependencies, such as the root, are known. */
async function* report(
  head: object,
  { dependencies, vulnerabilities, decided }: Lists,
): AsyncGenerator<string> {
  const affected = new Map<string, object>();
  yield `${JSON.stringify(head).slice(0, -1)},"vulnerabilities":[`;
  let separator = '';
  for await (const part of splitArray<messages.BriefVulnerability>(vulnerabilities)) {
    const rows = part.map((row) => disclosed(row, decided.get(row.id) ?? null));
    for (const one of rows.flatMap(({ components: found }) => found))
      affected.set(vdrRef(one), vdrComponent(one));
    yield separator + rows.map((row) => JSON.stringify(vdrVulnerability(row))).join(',');
    separator = ',';
  }
  yield '],"components":[';
  separator = '';
  const written = new Set<string>();
  for await (const part of splitArray<Dependency>(dependencies)) {
    const texts = part.flatMap(({ name, version, purl }) => {
      const component = { name, version, purl };
      const ref = vdrRef(component);
      if (written.has(ref)) return [];
      written.add(ref);
      return [JSON.stringify(vdrComponent(component))];
    });
    if (texts.length === 0) continue;
    yield separator + texts.join(',');
    separator = ',';
  }
  const others = [...affected].filter(([ref]) => !written.has(ref));
  if (others.length > 0)
    yield separator + others.map(([, component]) => JSON.stringify(component)).join(',');
  yield ']}';
}

function disclosed(
  row: messages.BriefVulnerability,
  decision: Content | null,
): DisclosedVulnerability {
  const { id, cve_id, severity, cvss_score, package_name: name } = row;
  const others = [...(row.aliases ?? []), ...row.advisory_ids].filter((one) => one !== cve_id);
  return {
    id,
    vulnerability: [cve_id, ...new Set(others.sort())],
    title: row.title ?? null,
    severity,
    cvss_score,
    components: (row.occurrences ?? [row]).map(({ package_version, purl, fixed_versions }) => ({
      name,
      version: package_version,
      purl,
      fixed_versions,
    })),
    decision,
  };
}
