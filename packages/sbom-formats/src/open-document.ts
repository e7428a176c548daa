import { walkComponents } from './cyclonedx/component-walk';
import { readCycloneDx } from './cyclonedx/read-cyclonedx';
import type { JsonObject } from './json';
import type { ListedDependencies } from './normalised-sbom';
import { measureCycloneDx } from './quality/measure-cyclonedx';
import { measureSpdx } from './quality/measure-spdx';
import { measureSpdx3 } from './quality/measure-spdx3';
import type { QualityFacts } from './quality/quality-elements';
import type { RecognisedDocument } from './recognise-format';
import { failingPaths } from './schema/failing-paths';
import type { Validators } from './schema/validators';
import { readSpdx } from './spdx/read-spdx';
import { collectElements, type Spdx3Elements } from './spdx3/collect-elements';
import { elementProblems } from './spdx3/element-problems';
import { readContent, readSpdx3, type Spdx3Content } from './spdx3/read-spdx3';

/** A document of known format, in the steps in which it is read; each is to be called once, in order. */
export interface OpenDocument {
  /** Components of the unvalidated document, the root included; stops at the limit. */
  countsAtMost(limit: number): boolean;
  /** The first places that violate the schema; empty for a valid document. Throws RangeError if nested too deeply. */
  problems(): string[];
  /** Of a valid document. Throws ExpansionLimitError if its references expand to too much. */
  list(): ListedDependencies;
  /** Of a valid document. Throws ExpansionLimitError like `list`. */
  measure(): QualityFacts;
}

export function openDocument(
  { specification, document }: RecognisedDocument,
  validators: Validators,
): OpenDocument {
  switch (specification.specVersion) {
    case '2.2':
    case '2.3':
      return {
        countsAtMost: (limit) =>
          !Array.isArray(document.packages) || document.packages.length <= limit,
        problems: () => failingPaths(validators.spdx2(), document),
        list: () => readSpdx(document),
        measure: () => measureSpdx(document),
      };
    case '3.0':
    case '3.0.1':
      return openSpdx3(document, validators);
    default: {
      const { specVersion } = specification;
      return {
        countsAtMost: (limit) => hasAtMost(limit, walkComponents(document)),
        problems: () => failingPaths(validators.cycloneDx(specVersion), document),
        list: () => readCycloneDx(document),
        measure: () => measureCycloneDx(document, specVersion),
      };
    }
  }
}

function openSpdx3(document: JsonObject, validators: Validators): OpenDocument {
  let found: Spdx3Elements | null = null;
  let resolved: Spdx3Content | null = null;
  const elements = (): Spdx3Elements => (found ??= collectElements(document));
  const content = (): Spdx3Content => (resolved ??= readContent(document, elements()));
  return {
    countsAtMost: (limit) => {
      const { packages } = (found = collectElements(document, limit));
      return packages.length <= limit;
    },
    problems: () => elementProblems(document, elements(), validators.spdx3()),
    list: () => readSpdx3(elements(), content()),
    measure: () => measureSpdx3(document, elements(), content()),
  };
}

function hasAtMost(limit: number, components: Iterator<unknown>): boolean {
  for (let count = 0; count <= limit; count += 1) if (components.next().done === true) return true;
  return false;
}
