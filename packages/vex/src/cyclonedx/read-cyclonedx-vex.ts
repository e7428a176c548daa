import { createHash } from 'node:crypto';
import { createValidators, type JsonObject } from '@bomtrail/sbom-formats';
import { identifierOf, serialOf } from '../identifiers';
import { justificationOfCycloneDx, statusOf } from '../mapping';
import { firstProblem, lazySchema } from '../schema-check';
import { laterOf, utc } from '../times';
import type { Identifier, ReadVexResult, VexProduct, VexStatement } from '../vex-document';
import { USED_PARTS_SCHEMA } from './used-parts-schema';

/** Versions with `vulnerabilities[].analysis`. */
export const CYCLONEDX_VEX_VERSIONS = ['1.4', '1.5', '1.6', '1.7'] as const;

interface Component {
  name: string;
  version?: string;
  purl?: string;
  'bom-ref'?: string;
  components?: Component[];
  externalReferences?: { type: string; url: string }[];
}

interface Affected {
  ref: string;
  versions?: { version?: string; range?: string; status?: string }[];
}

interface Vulnerability {
  id?: string;
  references?: { id: string }[];
  published?: string;
  updated?: string;
  recommendation?: string;
  workaround?: string;
  analysis?: {
    state?: string;
    justification?: string;
    detail?: string;
    response?: string[];
    firstIssued?: string;
    lastUpdated?: string;
  };
  affects?: Affected[];
}

interface CycloneDxVex {
  serialNumber?: string;
  version?: number;
  metadata?: {
    timestamp?: string;
    component?: Component;
    authors?: { name?: string }[];
    supplier?: { name?: string };
    manufacturer?: { name?: string };
    manufacture?: { name?: string };
  };
  components?: Component[];
  vulnerabilities?: Vulnerability[];
}

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
  given: Vulnerability,
  resolve: (affected: Affected) => VexProduct,
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
      products: (given.affects ?? []).map(resolve),
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

/**
 * What `affects[].ref` names: a BOM-Link, a component of the document itself (which lies in the document's root, else in
 * the component around it), or else whatever the text identifies.
 */
function productsOf(document: CycloneDxVex): (affected: Affected) => VexProduct {
  const root = document.metadata?.component;
  const serial = serialOf(document.serialNumber ?? '');
  const version = document.version ?? 1;
  const components = componentsByRef(document);
  const ownIdentifiers = (component: Component, ref: string | null): Identifier[] => [
    ...(component.purl === undefined ? [] : [identifierOf(component.purl)]),
    ...(component.externalReferences ?? [])
      .filter(({ type, url }) => type === 'bom' && /^urn:(cdx|uuid):/i.test(url))
      .map(({ url }) => identifierOf(url)),
    ...(serial === null ? [] : [{ kind: 'bom' as const, serial, version, ref }]),
    { kind: 'name' as const, value: component.name },
  ];
  return ({ ref, versions }) => {
    const limited = versionsOf(versions);
    const { component: found, within } = components.get(ref) ?? {};
    const isRoot = root !== undefined && root['bom-ref'] === ref;
    if (isRoot) return { identifiers: ownIdentifiers(root, null), subcomponents: [], ...limited };
    if (!found) return { identifiers: [identifierOf(ref)], subcomponents: [], ...limited };
    const whole = root ?? within;
    if (!whole) return { identifiers: ownIdentifiers(found, ref), subcomponents: [], ...limited };
    const wholeRef = root ? null : (whole['bom-ref'] ?? null);
    return {
      identifiers: ownIdentifiers(whole, wholeRef),
      subcomponents: [ownIdentifiers(found, ref)],
    };
  };
}

/** Exact versions of `affects[].versions`; ranges are not evaluated, so they fit nothing. */
function versionsOf(versions: Affected['versions']): { versions?: string[] } {
  if (!versions || versions.length === 0) return {};
  return { versions: versions.flatMap(({ version }) => version ?? []) };
}

/** A component, and the outermost one that contains it. */
interface Placed {
  component: Component;
  within?: Component;
}

function componentsByRef(document: CycloneDxVex): Map<string, Placed> {
  const byRef = new Map<string, Placed>();
  const outermost = [
    ...(document.components ?? []),
    ...(document.metadata?.component?.components ?? []),
  ];
  const queue: Placed[] = outermost.map((component) => ({ component }));
  for (const placed of queue) {
    const { component, within = component } = placed;
    const ref = component['bom-ref'];
    if (ref !== undefined) byRef.set(ref, placed);
    for (const part of component.components ?? []) queue.push({ component: part, within });
  }
  return byRef;
}
