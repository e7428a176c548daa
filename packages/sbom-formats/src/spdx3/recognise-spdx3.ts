import { isJsonObject, type JsonObject } from '../json';
import { listOf, textOf, typesOf } from './terms';

/** Versions that `specVersion` may name; tools write 3.0 for 3.0.1. */
export const SPDX3_VERSIONS = ['3.0', '3.0.1'] as const;

export type Spdx3Version = (typeof SPDX3_VERSIONS)[number];

/** Of an address; what follows is not read. */
const MAX_CONTEXT_LETTERS = 200;

const CONTEXT = /^https?:\/\/spdx\.org\/rdf\/v?(3[^/]*)\//;

/**
 * The version that an SPDX 3 document names: that of its `SpdxDocument`, else of any element, else of its
 * context. Null for a document that is no SPDX 3 in any version; `draft` for one that names none.
 */
export function spdx3VersionOf(document: JsonObject): string | null {
  const contexts = listOf(document['@context'])
    .filter((entry) => typeof entry === 'string')
    .map((context) => context.slice(0, MAX_CONTEXT_LETTERS));
  const [contextVersion] = contexts.flatMap((context) => CONTEXT.exec(context)?.[1] ?? []);
  const elements = [document, ...listOf(document['@graph'])].filter(isJsonObject);
  const written = writtenVersion(elements);
  const isDraft = /^3/.test(written ?? '') && (contexts.length > 0 || hasDocument(elements));
  if (contextVersion === undefined) return isDraft || isDraftContext(contexts) ? 'draft' : null;
  const accepted = (version: string): boolean => SPDX3_VERSIONS.some((one) => one === version);
  return accepted(contextVersion) ? (written ?? contextVersion) : contextVersion;
}

/** Drafts of SPDX 3 had their context elsewhere. */
function isDraftContext(contexts: readonly string[]): boolean {
  return contexts.some((context) => /spdx.*\b3|spdx-3-model/.test(context));
}

function hasDocument(elements: readonly JsonObject[]): boolean {
  return elements.some((element) => typesOf(element).includes('SpdxDocument'));
}

/** `specVersion` of creation information, which stands in `@graph` or inline in elements. */
function writtenVersion(elements: readonly JsonObject[]): string | undefined {
  const versions = new Map<string, string>();
  for (const element of elements) {
    const id = textOf(element['@id']) ?? textOf(element.spdxId);
    const version = textOf(element.specVersion);
    if (id !== undefined && version !== undefined) versions.set(id, version);
  }
  const versionOf = ({ creationInfo }: JsonObject): string | undefined =>
    isJsonObject(creationInfo)
      ? textOf(creationInfo.specVersion)
      : versions.get(textOf(creationInfo) ?? '');
  const documents = elements.filter((element) => typesOf(element).includes('SpdxDocument'));
  for (const element of [...documents, ...elements]) {
    const version = versionOf(element) ?? textOf(element.specVersion);
    if (version !== undefined) return version;
  }
  return undefined;
}
