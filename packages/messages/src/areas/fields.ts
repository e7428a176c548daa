import { z } from 'zod';

/** A UUID as this product stores it: lower case. */
export const id = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
/** SHA-256 in lower-case hex: of a document, or of a component set. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/);
/** UTC, ISO 8601 with milliseconds and `Z`. */
export const instant = z.string();
export const page = z.object({
  page: z.number().int().min(1),
  per_page: z.number().int().min(1).max(200),
});

/** The stretch of a list that a page asks for. */
export function pageWindow(asked: z.infer<typeof page>): { skip: number; limit: number } {
  return { skip: (asked.page - 1) * asked.per_page, limit: asked.per_page };
}

/** One page of a list, as the contract's page envelope needs it. */
export interface PageOf<Item> {
  items: Item[];
  total: number;
}

export type ScanStatus = 'pending' | 'scanned' | 'failed';
export type SbomFormat = 'cyclonedx' | 'spdx';
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'none' | 'unknown';
/** On which advisories an answer stands: none loaded yet, the built-in starter set, or a real feed. */
export type AdvisoryData = 'none' | 'starter' | 'feed';
