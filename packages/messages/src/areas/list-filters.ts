import { z } from 'zod';
import { decisionKinds } from './acceptances';
import { id, instant, projectScope } from './fields';
import { maxOwnedServices } from './ownership';

export const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;

/** Maximum services in one filter: named ones (the contract allows 50), or those of an owner or with a label. */
export const maxFilteredServices = maxOwnedServices;
/** Maximum characters of a search text. */
export const maxSearchLength = 200;

/** What a filter may say of the decision on a vulnerability; `none`: there is none. */
export const decisionFilters = [...decisionKinds, 'none'] as const;
export type DecisionFilter = (typeof decisionFilters)[number];

/** Maximum characters of an assignee. */
export const maxAssigneeLength = 255;

/** Maximum projects with service levels in one filter. */
export const maxLevelledProjects = 10_000;

/** Projects with the same service levels, and before which time their vulnerabilities were detected if they are due. */
const dueLimits = z.object({
  project_ids: z.array(id).min(1).max(maxLevelledProjects),
  detected_before: z.partialRecord(z.enum(severities), instant),
});
export type DueLimits = z.infer<typeof dueLimits>;

/** Filters of lists, summary and groups. All of them apply; an absent one selects everything. */
export const listFilters = z.object({
  project_id: projectScope.optional(),
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
  /** The kind of the decision that determines the status. */
  decision: z.array(z.enum(decisionFilters)).optional(),
  /** Whether that decision names a ticket. */
  has_ticket: z.boolean().optional(),
  /** The assignee of that decision, as written. */
  assignee: z.string().max(maxAssigneeLength).optional(),
  /** Detected at this time or later. */
  detected_since: instant.optional(),
  /** Open and due, or (`is: false`) not, by the service levels of the projects when the filter was made. */
  overdue: z.object({ is: z.boolean(), limits: z.array(dueLimits) }).optional(),
  /** Words that ids, package name and title together contain. */
  q: z.string().max(maxSearchLength).optional(),
});
export type ListFilters = z.infer<typeof listFilters>;

/** What vulnerabilities are grouped by. */
export const groupings = ['vulnerability', 'package', 'service', 'project'] as const;
export type Grouping = (typeof groupings)[number];
