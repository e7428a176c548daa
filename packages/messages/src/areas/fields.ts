import { z } from 'zod';

/** A UUID as this product stores it: lower case. */
export const id = z
  .string()
  .regex(/^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
/** Projects of one person, at most. */
export const maxProjectsOfCaller = 1_000;

/**
 * The projects that exist for a caller: one, or several of a person. Senders name one as a string, which
 * every earlier version understands.
 */
export const projectScope = z.union([id, z.array(id).min(1).max(maxProjectsOfCaller)]);
export type ProjectScope = z.infer<typeof projectScope>;

/** Whether a project is in a scope; null, undefined: all are. */
export function isInScope(scope: ProjectScope | null | undefined, projectId: string): boolean {
  if (scope === null || scope === undefined) return true;
  return typeof scope === 'string' ? scope === projectId : scope.includes(projectId);
}

/** SHA-256 of a document or component set, lower-case hex. */
export const digest = z.string().regex(/^[0-9a-f]{64}$/);
/** UTC, ISO 8601 with milliseconds and `Z`. */
export const instant = z.string();
export const page = z.object({
  page: z.number().int().min(1),
  per_page: z.number().int().min(1).max(200),
});

/** Converts a page request to `skip` and `limit`. */
export function pageWindow(request: z.infer<typeof page>): { skip: number; limit: number } {
  return { skip: (request.page - 1) * request.per_page, limit: request.per_page };
}

/** A position in a list: after the item with this time (or, in searches, project) and id. */
export const listCursor = z.object({ at: z.string().max(40), id });
export type ListCursor = z.infer<typeof listCursor>;

/** A page, or with `after` (null: from the beginning) the next `per_page` items after a position. */
export const pageOrPart = page.extend({ after: listCursor.nullable().optional() });

/** One page of a list; `next`: the position after it, if it was asked for by position. Null: the end. */
export interface PartOf<Item> extends PageOf<Item> {
  next?: ListCursor | null;
}

/** One page of a list. */
export interface PageOf<Item> {
  items: Item[];
  total: number;
}

export type ScanStatus = 'pending' | 'scanned' | 'failed';
export type SbomFormat = 'cyclonedx' | 'spdx';
export type Severity = 'critical' | 'high' | 'medium' | 'low' | 'none' | 'unknown';

/** Number of vulnerabilities by severity. */
export type SeverityCounts = Record<Severity, number>;

/** Days within which a vulnerability is to be fixed, from its detection; null: no limit. */
export type ServiceLevels = Partial<Record<Severity, number | null>>;

/** Advisories that a response is based on: none, the built-in starter set, or a feed. */
export type AdvisoryData = 'none' | 'starter' | 'feed';
