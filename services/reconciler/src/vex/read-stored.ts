import { AppError, getSbom, type SbomRecord } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';

/**
 * Reads the document of an SBOM. Null: the SBOM was deleted.
 *
 * @param expired the result if retention dropped the document, so that nothing stays as it was for another SBOM
 * @throws AppError of ingest and catalog
 */
export async function readStored<Result>(
  { request }: { request: Request },
  sbomId: string,
  { read, expired }: { read(sbom: SbomRecord): Promise<Result>; expired: Result },
): Promise<Result | null> {
  let sbom: SbomRecord | null = null;
  try {
    sbom = (await request(getSbom, { sbom_id: sbomId })).body;
    return await read(sbom);
  } catch (error) {
    const isMissing = error instanceof AppError && error.code === 'sbom_not_found';
    if (!isMissing) throw error;
    return sbom?.retained === false ? expired : null;
  }
}
