import { decodeDocument, isJsonObject, spdx3VersionOf } from '@bomtrail/sbom-formats';
import { isCycloneDx, readCycloneDxVex } from './cyclonedx/read-cyclonedx-vex';
import { matchStatements, type StatementMatch } from './matching/match-statements';
import type { VexLimits } from './read-vex';
import { readSpdx3Statements } from './spdx3/read-spdx3-vex';
import { productsToMatch, type VexStatement } from './vex-document';

/** What an SBOM says itself about vulnerabilities, each statement with what it covers in the SBOM. */
export interface EmbeddedVex {
  statements: VexStatement[];
  matches: StatementMatch[];
}

/** What statements cover in a document that is stored nowhere, and what it says itself; null: not read. */
export interface VexInDocument {
  matches: StatementMatch[];
  embedded: EmbeddedVex | null;
}

/**
 * Reads the analyses in a CycloneDX SBOM or the assessments in a SPDX 3 document. An SBOM was accepted as such, so
 * whatever is wrong with its statements makes none of them count.
 */
export function readEmbeddedVex(bytes: Uint8Array, limits: VexLimits): EmbeddedVex {
  const statements = statementsIn(bytes);
  const count = statements.reduce((sum, { products }) => sum + Math.max(1, products.length), 0);
  if (count === 0 || count > limits.statements) return { statements: [], matches: [] };
  const products = statements.map(productsToMatch);
  return { statements, matches: matchStatements(bytes, products) };
}

function statementsIn(bytes: Uint8Array): VexStatement[] {
  const decoded = decodeDocument(bytes);
  if (!decoded.ok || !isJsonObject(decoded.json)) return [];
  const { json } = decoded;
  if (spdx3VersionOf(json) !== null) return readSpdx3Statements(json);
  if (!isCycloneDx(json) || !Array.isArray(json.vulnerabilities)) return [];
  const read = readCycloneDxVex(json);
  return read.ok ? read.document.statements : [];
}
