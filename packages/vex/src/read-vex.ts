import { decodeDocument, isJsonObject } from '@bomtrail/sbom-formats';
import { isCsaf, readCsaf } from './csaf/read-csaf';
import { isCycloneDx, readCycloneDxVex } from './cyclonedx/read-cyclonedx-vex';
import { isOpenVex, readOpenVex } from './openvex/read-openvex';
import type { ReadVexResult } from './vex-document';

/** Statements and products of one document. */
export interface VexLimits {
  /** Statements; each counts once for each of its products. */
  statements: number;
}

/**
 * Reads the bytes of an OpenVEX, CycloneDX or CSAF document, or returns why it is refused. Never throws. Compiles a
 * format's schema with its first document.
 */
export function readVex(bytes: Uint8Array, limits: VexLimits): ReadVexResult {
  const decoded = decodeDocument(bytes);
  if (!decoded.ok) return { ok: false, code: 'malformed_json', detail: decoded.problem.detail };
  const { json } = decoded;
  if (!isJsonObject(json)) return unrecognised();
  const result = isOpenVex(json)
    ? readOpenVex(json)
    : isCycloneDx(json)
      ? readCycloneDxVex(json)
      : isCsaf(json)
        ? readCsaf(json)
        : unrecognised();
  if (!result.ok) return result;
  const count = result.document.statements.reduce(
    (sum, { products }) => sum + Math.max(1, products.length),
    0,
  );
  if (count <= limits.statements) return result;
  const detail = `The document makes ${count} statements about products; at most ${limits.statements} are read.`;
  return { ok: false, code: 'invalid_vex', detail };
}

function unrecognised(): ReadVexResult {
  const detail =
    'The file is JSON but no OpenVEX ("@context": "https://openvex.dev/ns/v0.2.0"), CycloneDX ("bomFormat": "CycloneDX") or CSAF ("document": {"csaf_version": "2.0", …}) document.';
  return { ok: false, code: 'unsupported_vex_format', detail };
}
