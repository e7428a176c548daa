import { isJsonObject, type JsonObject } from '@bomtrail/sbom-formats';
import { identifierOf } from '../identifiers';
import { statusOf } from '../mapping';
import { firstProblem, lazySchema } from '../schema-check';
import { laterOf, utc } from '../times';
import type { Justification } from '@bomtrail/messages';
import type { Identifier, ReadVexResult, VexStatement } from '../vex-document';
import type { OpenVexComponent, OpenVexDocument, OpenVexStatement } from './openvex-document';
import { OPENVEX_001_SCHEMA, OPENVEX_SCHEMA } from './openvex-schema';

const schemas = {
  '0.2.0': lazySchema(() => OPENVEX_SCHEMA),
  '0.0.1': lazySchema(() => OPENVEX_001_SCHEMA),
};

/** Every context names `openvex.dev/ns`, with the version behind it since 0.2.0. */
export function isOpenVex(document: JsonObject): boolean {
  return String(document['@context']).startsWith('https://openvex.dev/ns');
}

/** Reads OpenVEX 0.2.0, and 0.0.1, whose contexts have no version or that one. */
export function readOpenVex(json: JsonObject): ReadVexResult {
  const version = versionOf(json);
  if (version === null) {
    const detail = `OpenVEX ${String(json['@context'])} is not supported: use 0.2.0.`;
    return { ok: false, code: 'unsupported_vex_format', detail };
  }
  const problem = firstProblem(schemas[version](), json);
  if (problem !== null)
    return {
      ok: false,
      code: 'invalid_vex',
      detail: `The document is not valid OpenVEX ${version}: ${problem}.`,
    };
  const document = json as unknown as OpenVexDocument;
  return {
    ok: true,
    document: {
      format: 'openvex',
      spec_version: version,
      id: document['@id'],
      version: String(document.version ?? '1'),
      author: document.author,
      timestamp: utc(document.timestamp),
      last_updated: laterOf(utc(document.last_updated), utc(document.timestamp)),
      statements: document.statements.map((one) => readStatement(one, document)),
    },
  };
}

function versionOf(json: JsonObject): '0.2.0' | '0.0.1' | null {
  const version = String(json['@context']).slice('https://openvex.dev/ns'.length);
  if (version === '/v0.2.0') return '0.2.0';
  if (version !== '' && version !== '/' && version !== '/v0.0.1') return null;
  // Some documents of the newer form have the older context.
  const statements: unknown[] = Array.isArray(json.statements) ? json.statements : [];
  const isNewForm = statements.some((one) => isJsonObject(one) && isJsonObject(one.vulnerability));
  return isNewForm ? '0.2.0' : '0.0.1';
}

function readStatement(given: OpenVexStatement, document: OpenVexDocument): VexStatement {
  const { vulnerability, products = [], subcomponents = [] } = given;
  const parts = subcomponents.map((one) => [identifierOf(one)]);
  const vulnerabilityIds =
    typeof vulnerability === 'string'
      ? [vulnerability]
      : [vulnerability.name, ...(vulnerability.aliases ?? [])];
  const own = laterOf(utc(given.last_updated), utc(given.timestamp));
  return {
    vulnerability: [...new Set(vulnerabilityIds)],
    products: products.map((one) =>
      typeof one === 'string'
        ? { identifiers: [identifierOf(one)], subcomponents: parts }
        : {
            identifiers: identifiersOf(one),
            subcomponents: (one.subcomponents ?? []).map(identifiersOf),
          },
    ),
    status: statusOf('openvex', given.status) ?? 'affected',
    justification: (given.justification as Justification | undefined) ?? null,
    written: { state: given.status, justification: given.justification ?? null },
    detail: given.impact_statement ?? given.status_notes ?? null,
    action: given.action_statement ?? null,
    timestamp: own ?? laterOf(utc(document.last_updated), utc(document.timestamp)),
  };
}

function identifiersOf({
  '@id': id,
  identifiers = {},
  hashes = {},
}: OpenVexComponent): Identifier[] {
  const named = [...(id === undefined ? [] : [id]), ...Object.values(identifiers)].map(
    identifierOf,
  );
  const hashed = Object.entries(hashes).map(([name, value]): Identifier => ({
    kind: 'hash',
    value: `${name}:${value}`,
  }));
  return [...named, ...hashed];
}
