import { z } from 'zod';

/** Progress of a part loaded from a server; serialised as its fingerprint. */
export interface HttpCursor {
  /** Fingerprints of `all.zip` and of the list of modified records; null for none. */
  zip: string | null;
  list: string | null;
  /** Records modified after this time (ms) may be missing. */
  since: number;
  /** When `all.zip` was last downloaded or confirmed (ms). */
  fullAt: number;
}

/** Servers export the list and the zip at different times, so this period is read twice. */
export const overlapMs = 6 * 3600_000;

const stored = z.object({
  zip: z.string().nullable(),
  list: z.string().nullable(),
  since: z.number(),
  fullAt: z.number(),
});

export function writeCursor({ zip, list, since, fullAt }: HttpCursor): string {
  return JSON.stringify({ zip, list, since, fullAt });
}

/** Parses a stored fingerprint; null when nothing is stored. */
export function readCursor(fingerprint: string | null): HttpCursor | null {
  if (fingerprint === null) return null;
  return stored.parse(JSON.parse(fingerprint));
}
