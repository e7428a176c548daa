import { readDocumentStructure } from '@bomtrail/sbom-formats';
import type { ExportProduct } from './writing/export-document';

/** How a document names itself: by its root and its serial number. */
export type SbomIdentity = Pick<ExportProduct, 'purl' | 'bom'>;

/**
 * Reads what identifies an SBOM that was read before.
 *
 * @throws Error if the bytes are no supported SBOM
 */
export function describeSbom(bytes: Uint8Array): SbomIdentity {
  const { serial, version, roots, packages } = readDocumentStructure(bytes);
  const [purl] = [...roots]
    .flatMap((id) => packages.get(id) ?? [])
    .flatMap((one) => one.purl ?? []);
  return {
    purl: purl ?? null,
    bom: serial === null || version === null ? null : { serial, version },
  };
}
