import * as messages from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';

/** What the quality rule of a gate found; `unknown`: the document cannot be read any more. */
export type QualityResult = messages.SbomQuality | 'unknown';

/** The quality of a stored document, by its hash. @throws AppError `sbom_not_found` */
export async function readQuality(
  { request }: { request: Request },
  sha256: string,
): Promise<messages.SbomQuality | null> {
  return (await request(messages.readQuality, { sha256 })).body.quality;
}

/** @returns null: the gate has no such rule */
export async function qualityOfGate(
  deps: { request: Request },
  { min_quality }: { min_quality?: number | undefined },
  sha256: string,
): Promise<QualityResult | null> {
  if (min_quality === undefined) return null;
  return (await readQuality(deps, sha256)) ?? 'unknown';
}
