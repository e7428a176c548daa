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

/** Null when nothing is held. Release 1.0.1 stored the fingerprint of the zip alone. */
export function readCursor(fingerprint: string | null): HttpCursor | null {
  if (fingerprint === null) return null;
  if (!fingerprint.startsWith('{'))
    return { zip: fingerprint === '' ? null : fingerprint, list: null, since: 0, fullAt: 0 };
  return stored.parse(JSON.parse(fingerprint));
}
