import { walkComponents } from './cyclonedx/component-walk';
import type { CycloneDxDocument } from './cyclonedx/cyclonedx-document';
import { readCycloneDx } from './cyclonedx/read-cyclonedx';
import { decodeDocument } from './decode-document';
import { canonicalDependencies, digestOf } from './dependency-set';
import { scannableRoots } from './scannable-roots';
import type { JsonObject } from './json';
import type { ReadSbomResult, SbomProblem, SbomProblemCode } from './normalised-sbom';
import { oversizedIdentity } from './oversized-identity';
import {
  CYCLONEDX_VERSIONS,
  recogniseFormat,
  SPDX_VERSIONS,
  type RecognisedDocument,
  type SbomSpecification,
} from './recognise-format';
import { failingPaths } from './schema/failing-paths';
import { createValidators, type ValidatorSource } from './schema/validators';
import { readSpdx } from './spdx/read-spdx';

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
    prepare: () => {
      for (const specVersion of CYCLONEDX_VERSIONS)
        validators({ format: 'cyclonedx', specVersion });
      for (const specVersion of SPDX_VERSIONS) validators({ format: 'spdx', specVersion });
    },
  };
}

type Reading = ReadLimits & { validators: ValidatorSource };

function readDocument(bytes: Uint8Array, reading: Reading): ReadSbomResult {
  const decoded = decodeDocument(bytes);
  if (!decoded.ok) return { ok: false, ...decoded.problem };
  const recognition = recogniseFormat(decoded.json);
  if (!recognition.ok) return { ok: false, ...recognition.problem };
  const { specification, document } = recognition.recognised;

  // Plus one: the root, which does not count, may be among them.
  if (countsMoreThan(reading.maxComponents + 1, recognition.recognised)) return tooMany(reading);
  const problem = validationProblem(recognition.recognised, reading.validators(specification));
  if (problem !== null) return { ok: false, ...problem };

  const listed = specification.format === 'spdx' ? readSpdx(document) : readCycloneDx(document);
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
    },
  };
}

/** Stops at the limit. */
function countsMoreThan(limit: number, { specification, document }: RecognisedDocument): boolean {
  if (specification.format === 'spdx')
    return Array.isArray(document.packages) && document.packages.length > limit;
  const components = walkComponents(document);
  for (let count = 0; count <= limit; count += 1) if (components.next().done === true) return false;
  return true;
}

function tooMany({ maxComponents }: ReadLimits): ReadSbomResult {
  return failure('too_many_components', `The document has more than ${maxComponents} components.`);
}

function validationProblem(
  { specification, document }: RecognisedDocument,
  validate: ReturnType<ValidatorSource>,
): SbomProblem | null {
  const name = specificationName(specification);
  try {
    const paths = failingPaths(validate, document);
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
