import type { CycloneDxDocument } from './cyclonedx/cyclonedx-document';
import { vexProblem } from './cyclonedx/vex-document';
import { decodeDocument } from './decode-document';
import { canonicalDependencies, digestOf } from './dependency-set';
import { foreignFile } from './foreign-formats';
import type { JsonObject } from './json';
import type {
  ListedDependencies,
  ReadSbomResult,
  SbomProblem,
  SbomProblemCode,
} from './normalised-sbom';
import { openDocument, type OpenDocument } from './open-document';
import { oversizedIdentity } from './oversized-identity';
import type { QualityFacts } from './quality/quality-elements';
import { recogniseFormat, type SbomSpecification } from './recognise-format';
import { scannableRoots } from './scannable-roots';
import { createValidators, type Validators } from './schema/validators';
import { ExpansionLimitError, MAX_EXPANDED_LETTERS } from './spdx3/expansion-limit';

/** Maximum length of a root's name in code points, as of a service's name (docs/rules.md N8). */
const MAX_ROOT_NAME = 255;

export interface ReadLimits {
  /** Maximum number of components without the root; `MAX_COMPONENTS`. */
  maxComponents: number;
}

export interface SbomReader {
  /** Reads the unpacked bytes of a document. Never throws. */
  read(bytes: Uint8Array, limits: ReadLimits): ReadSbomResult;
  /** Compiles every schema at once; throws when one is missing. */
  prepare(): void;
}

/** Creates a reader that caches compiled schemas. */
export function createSbomReader(): SbomReader {
  const validators = createValidators();
  return {
    read: (bytes, limits) => readDocument(bytes, { ...limits, validators }),
    prepare: () => validators.prepare(),
  };
}

type Reading = ReadLimits & { validators: Validators };

function readDocument(bytes: Uint8Array, reading: Reading): ReadSbomResult {
  const decoded = decodeDocument(bytes);
  if (!decoded.ok) return { ok: false, ...(foreignFile(bytes) ?? decoded.problem) };
  const recognition = recogniseFormat(decoded.json);
  if (!recognition.ok) return { ok: false, ...recognition.problem };
  const { specification, document } = recognition.recognised;

  const read = openDocument(recognition.recognised, reading.validators);
  // Plus one: the root, which does not count, may be among them.
  if (!read.countsAtMost(reading.maxComponents + 1)) return tooMany(reading);
  const name = specificationName(specification);
  const problem = validationProblem(read, name) ?? vexProblem(document);
  if (problem !== null) return { ok: false, ...problem };

  const content = contentOf(read);
  if (content === null) return failure('invalid_sbom', expansionDetail(name));
  const { listed, quality } = content;
  const { roots, parts } = scannableRoots(listed.roots);
  const entries = parts.length === 0 ? listed.dependencies : [...listed.dependencies, ...parts];
  if (entries.length > reading.maxComponents) return tooMany(reading);
  const oversized = oversizedIdentity(entries);
  if (oversized !== null) return { ok: false, ...oversized };
  const dependencies = canonicalDependencies(entries);
  return {
    ok: true,
    sbom: {
      ...specification,
      rootName: specification.format === 'spdx' ? null : rootNameOf(document),
      dependencies,
      roots,
      digest: digestOf(dependencies, roots),
      quality,
    },
  };
}

function tooMany({ maxComponents }: ReadLimits): ReadSbomResult {
  return failure('too_many_components', `The document has more than ${maxComponents} components.`);
}

function validationProblem(read: OpenDocument, name: string): SbomProblem | null {
  try {
    const paths = read.problems();
    if (paths.length === 0) return null;
    return {
      code: 'invalid_sbom',
      detail: `The document is not valid ${name}: ${paths.join('; ')}.`,
    };
  } catch (error) {
    // Compiled schemas recurse into nested components.
    if (!(error instanceof RangeError)) throw error;
    return { code: 'invalid_sbom', detail: `The ${name} document is nested too deeply.` };
  }
}

/** Null if its references expand to too much. */
function contentOf(
  read: OpenDocument,
): { listed: ListedDependencies; quality: QualityFacts } | null {
  try {
    return { listed: read.list(), quality: read.measure() };
  } catch (error) {
    if (error instanceof ExpansionLimitError) return null;
    throw error;
  }
}

function expansionDetail(name: string): string {
  const mebi = MAX_EXPANDED_LETTERS / 1024 ** 2;
  return `The references of the ${name} document repeat more than ${mebi} Mi characters; write long licences and ids less often.`;
}

function specificationName({ format, specVersion }: SbomSpecification): string {
  return `${format === 'spdx' ? 'SPDX' : 'CycloneDX'} ${specVersion}`;
}

function rootNameOf(document: JsonObject): string | null {
  const name = (document as CycloneDxDocument).metadata?.component?.name ?? '';
  // A code point has at most two code units; longer texts need not be split.
  const start = [...name.slice(0, 2 * MAX_ROOT_NAME)].slice(0, MAX_ROOT_NAME).join('');
  return start.trim() === '' ? null : start.toWellFormed();
}

function failure(code: SbomProblemCode, detail: string): ReadSbomResult {
  return { ok: false, code, detail };
}
