import { z } from 'zod';
import { rpc } from '../define';
import type { SbomRecord } from './catalog';
import { digest, id, type AdvisoryData } from './fields';
import { serviceSbom, gateRule, type FailedRule, type FindingCounts } from './gate';
import type { RootComponent } from './ingest';
import { alertThresholds } from './notifier';
import type { SbomQuality } from './quality';
import { manyFindingsMs, type BriefVulnerability } from './reconciler';
import type { Coverage, VulnerabilityDetails } from './scanner';

/** A document that was read but not stored. */
export interface ParsedDocument {
  format: string;
  spec_version: string;
  dependency_count: number;
  root_name: string | null;
  roots: RootComponent[];
  quality: SbomQuality;
}

/**
 * Reads a document and stores nothing. Attachment of the request: the gzip'd document, of the
 * response: its dependencies, as in `readComponents`. Fails like `acceptUpload`, in the same order;
 * without a project none is looked up.
 */
export const parseDocument = rpc<ParsedDocument>()({
  service: 'ingest',
  callers: ['gateway'],
  name: 'parse-document.v1',
  request: z.object({
    project_id: id.nullable(),
    project_slug: z.string().nullable(),
    sha256: digest,
    size: z.number().int().min(0),
  }),
  timeoutMs: 180_000,
  cancellable: true,
});

/** The project, service and baseline that a document is judged against. */
export interface CheckScope {
  project_id: string;
  /** As an upload would name it; null for the project-level service. */
  service_name: string | null;
  /** null: the project has no such service. */
  service_id: string | null;
  baseline: SbomRecord | null;
}

/**
 * Finds the service that an upload would go to, and the baseline of its gate, without creating
 * anything. `baseline`: `last-passed` is the newest SBOM whose gate passed at `fail_on` or a
 * stricter threshold, `none` none; else a version or SBOM id of the service. Fails with
 * `project_not_found`, `baseline_not_found`.
 */
export const findCheckScope = rpc<CheckScope>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'find-check-scope.v1',
  request: z.object({
    project_id: id.nullable(),
    project_slug: z.string().nullable(),
    service_name: z.string().nullable(),
    root_name: z.string().nullable(),
    fail_on: z.enum(alertThresholds),
    baseline: z.string(),
  }),
});

const rootComponent = z.object({
  name: z.string(),
  version: z.string(),
  purl: z.string().nullable(),
  is_direct: z.boolean(),
  source_package: z.string().optional(),
});

/** What the components of a document were matched with. */
export interface ComponentsMatch {
  coverage: Coverage;
  advisory_data: AdvisoryData;
  /** The advisory revision of all findings. */
  revision: number;
}

/**
 * Matches components that are stored nowhere, and stores nothing. Attachment of the request: a
 * gzip'd JSON array of components, as in `readComponents`. Attachment of the response: gzip'd lines
 * of JSON, each a `FindingsReport` of some megabytes at most; the findings are in the order of
 * `Finding.package_key`, so that a reader needs one package at a time.
 */
export const matchComponents = rpc<ComponentsMatch>()({
  service: 'scanner',
  callers: ['reconciler'],
  name: 'match-components.v1',
  request: z.object({ roots: z.array(rootComponent) }),
  timeoutMs: manyFindingsMs,
  cancellable: true,
});

/** A vulnerability of a document that is stored nowhere. */
export interface CheckedVulnerability
  extends
    Omit<BriefVulnerability, 'id' | 'detected_at' | 'aliases' | 'title'>,
    Pick<
      VulnerabilityDetails,
      'aliases' | 'cvss_vector' | 'title' | 'published_at' | 'modified_at'
    > {
  /** The tracked vulnerability of the service; null: none is listed there. */
  id: string | null;
  severity_source: string | null;
  ecosystem: string;
  is_new: boolean | null;
  failed_rules: FailedRule[];
}

/** The outcome of `judgeComponents`. */
export interface ComponentsJudgement extends ComponentsMatch {
  found: FindingCounts;
  /** Number of findings in the attachment. */
  total: number;
  /** Bytes of the attachment that are the failing vulnerabilities. */
  failing_bytes: number;
}

const judgement = gateRule.extend({
  roots: z.array(rootComponent),
  /** null: no decisions apply. */
  project_id: id.nullable(),
  /** null: no vulnerabilities are tracked, and only decisions for the project apply. */
  service_id: id.nullable(),
  /** `unknown`: the baseline is not scanned yet. */
  baseline: z.union([serviceSbom, z.literal('none'), z.literal('unknown')]),
});

/** The body of `judgeComponents`. */
export type ComponentsToJudge = z.infer<typeof judgement>;

/**
 * Judges the components of a document for a gate as if it were the newest SBOM of a service, and
 * stores nothing. VEX documents do not decide: see `judgeDocument`. Attachment of the request: as of
 * `matchComponents`. Attachment of the response: two gzip'd JSON arrays of `CheckedVulnerability` one
 * after the other: the worst `maxFailingReturned` failing ones, and all, by package.
 */
export const judgeComponents = rpc<ComponentsJudgement>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'judge-components.v1',
  request: judgement,
  timeoutMs: manyFindingsMs,
  cancellable: true,
});

/**
 * The same with the VEX documents of the project, and what the document says itself. In the attachment of the
 * request the gzip'd document follows the first `component_bytes`.
 */
export const judgeDocument = rpc<ComponentsJudgement>()({
  service: 'reconciler',
  callers: ['gateway'],
  name: 'judge-document.v1',
  request: judgement.extend({
    project_id: id,
    component_bytes: z.number().int().positive(),
    /** Of the document, unpacked. */
    size: z.number().int().positive(),
  }),
  timeoutMs: manyFindingsMs,
  cancellable: true,
});
