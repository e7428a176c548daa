import type { JsonObject } from '../json';
import type { SbomProblem } from '../normalised-sbom';
import { walkComponents } from './component-walk';

/**
 * Refuses a CycloneDX document with vulnerabilities and without any component: statements about
 * software that is listed elsewhere, which as an SBOM would look clean. Null for every other
 * document. Source: docs/validation.md "VEX documents".
 */
export function vexProblem(document: JsonObject): SbomProblem | null {
  const { bomFormat, vulnerabilities } = document;
  if (bomFormat !== 'CycloneDX' || !Array.isArray(vulnerabilities)) return null;
  if (vulnerabilities.length === 0 || walkComponents(document).next().done !== true) return null;
  return {
    code: 'vex_document',
    detail:
      'This is a VEX document: it has vulnerabilities but no components. POST /api/v1/vex imports it; upload the SBOM that it is about here.',
  };
}
