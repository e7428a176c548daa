import { createHash } from 'node:crypto';
import { createValidators, type JsonObject } from '@bomtrail/sbom-formats';
import { justificationOfCycloneDx, statusOf } from '../mapping';
import { firstProblem, lazySchema } from '../schema-check';
import { laterOf, utc } from '../times';
import type { ReadVexResult, VexStatement } from '../vex-document';
import type { CycloneDxVex, CycloneDxVulnerability } from './cyclonedx-vex-document';
import { productsOf, type ProductResolver } from './cyclonedx-vex-products';
import { USED_PARTS_SCHEMA } from './used-parts-schema';

/** Versions with `vulnerabilities[].analysis`. */
export const CYCLONEDX_VEX_VERSIONS = ['1.4', '1.5', '1.6', '1.7'] as const;

const validators = createValidators();
const usedParts = lazySchema(() => USED_PARTS_SCHEMA);

export function isCycloneDx(json: JsonObject): boolean {
  return json.bomFormat === 'CycloneDX';
}

/** Reads the analyses of a CycloneDX document; a document without any has no statements. */
export function readCycloneDxVex(json: JsonObject): ReadVexResult {
  const specVersion = CYCLONEDX_VEX_VERSIONS.find((version) => version === json.specVersion);
  if (specVersion === undefined) {
    const detail = `CycloneDX ${String(json.specVersion)} has no vulnerabilities: use 1.4 to 1.7.`;
    return { ok: false, code: 'unsupported_vex_format', detail };
  }
  const problem =
    firstProblem(validators.cycloneDx(specVersion), json) ?? firstProblem(usedParts(), json);
  if (problem !== null)
    return {
      ok: false,
      code: 'invalid_vex',
      detail: `The document is not valid CycloneDX ${specVersion}: ${problem}.`,
    };
  const document = json as CycloneDxVex;
  const { metadata = {}, serialNumber } = document;
  const { authors = [], supplier, manufacturer, manufacture } = metadata;
  const named = [supplier, manufacturer, manufacture, authors[0]].find((one) => one?.name);
  const timestamp = utc(metadata.timestamp);
  const resolve = productsOf(document);
  return {
    ok: true,
    document: {
      format: 'cyclonedx',
      spec_version: specVersion,
      id:
        serialNumber ?? `sha256:${createHash('sha256').update(JSON.stringify(json)).digest('hex')}`,
      version: String(document.version ?? 1),
      author: named?.name ?? '',
      timestamp,
      last_updated: timestamp,
      statements: (document.vulnerabilities ?? []).flatMap((one) =>
        statementOf(one, resolve, timestamp),
      ),
    },
  };
}

function statementOf(
  given: CycloneDxVulnerability,
  resolve: ProductResolver,
  documentTime: string | null,
): VexStatement[] {
  const { analysis } = given;
  const status = analysis?.state === undefined ? null : statusOf('cyclonedx', analysis.state);
  if (!analysis?.state || status === null) return [];
  const ids = [given.id, ...(given.references ?? []).map(({ id }) => id)];
  const own = laterOf(utc(analysis.lastUpdated), utc(analysis.firstIssued));
  return [
    {
      vulnerability: [...new Set(ids.filter((id) => id !== undefined && id !== ''))] as string[],
      products: (given.affects ?? []).map((affected) => resolve(affected, status)),
      status,
      justification: justificationOfCycloneDx(analysis.justification ?? ''),
      written: { state: analysis.state, justification: analysis.justification ?? null },
      detail: analysis.detail ?? null,
      action:
        (given.recommendation ?? given.workaround ?? (analysis.response ?? []).join(', ')) || null,
      timestamp: own ?? utc(given.updated) ?? documentTime,
    },
  ];
}
