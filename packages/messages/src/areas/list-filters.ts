import { z } from 'zod';
import { id } from './fields';

export const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;

/** Maximum services in one filter. */
export const maxFilteredServices = 50;
/** Maximum characters of a search text. */
export const maxSearchLength = 200;

/** Filters of lists, summary and groups. All of them apply; an absent one selects everything. */
export const listFilters = z.object({
  project_id: id.optional(),
  service_id: id.optional(),
  /** Several services; then `service_id` is absent. */
  service_ids: z.array(id).min(1).max(maxFilteredServices).optional(),
  severity: z.array(z.enum(severities)).optional(),
  /** Any id of the alias group, in any case. */
  cve_id: z.string().optional(),
  /** The full name, in any case. */
  package_name: z.string().optional(),
  /** Ecosystem, name and, if it has one, version. */
  purl: z.string().optional(),
  /** OSV's name without suffix. */
  ecosystem: z.string().optional(),
  has_fix: z.boolean().optional(),
  is_direct: z.boolean().optional(),
  kev: z.boolean().optional(),
  min_epss: z.number().min(0).max(1).optional(),
  /** Words that ids, package name and title together contain. */
  q: z.string().max(maxSearchLength).optional(),
});
export type ListFilters = z.infer<typeof listFilters>;

/** What vulnerabilities are grouped by. */
export const groupings = ['vulnerability', 'package', 'service', 'project'] as const;
export type Grouping = (typeof groupings)[number];
