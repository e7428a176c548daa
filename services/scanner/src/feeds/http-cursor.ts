import { z } from 'zod';

/** How far a part of a server's feed is known: what its fingerprint says. */
export interface HttpCursor {
  /** Fingerprints of `all.zip` and of the list of modified records, null where there is none. */
  zip: string | null;
  list: string | null;
  /** What the list names from this time on (ms) may be missing. */
  since: number;
  /** When `all.zip` was last taken or found unchanged (ms). */
  fullAt: number;
}

/** A server exports its list and its zip apart, and neither at once: so much is looked at twice. */
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
