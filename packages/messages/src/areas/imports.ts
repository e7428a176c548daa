import { z } from 'zod';
import { rpc } from '../define';
import { decisionActor, type DecisionActor } from './acceptances';
import { id, page, projectScope, type PageOf } from './fields';

/** Programs that imports read from. */
const importSources = ['dependency-track'] as const;
export type ImportSource = (typeof importSources)[number];

/** What an import says of itself. */
const reportedStatuses = ['running', 'finished', 'failed'] as const;
export type ReportedImportStatus = (typeof reportedStatuses)[number];
/** `interrupted` follows from what is reported, and when. */
export type ImportStatus = ReportedImportStatus | 'interrupted';

const count = z.number().int().min(0);

/** What was found there, and what of it is here; see the contract's ImportTotals. */
const importedCounts = z.object({
  versions: count,
  uploaded: count,
  findings_there: count,
  findings_here: count,
  analyses: count,
  decided: count,
});

/** What an import brought to one service; of what was left out the first ones, and how many there are. */
const importedService = importedCounts.extend({
  project_id: id,
  service: z.string(),
  refused_total: count,
  refused: z.array(z.object({ version: z.string(), reason: z.string() })),
  unmatched_total: count,
  unmatched: z.array(
    z.object({ vulnerability: z.string(), component: z.string(), reason: z.string() }),
  ),
});
export type ImportedServiceReport = z.infer<typeof importedService>;

/** With the names that the project has now. */
export interface ImportedServiceView extends ImportedServiceReport {
  project_name: string;
  project_slug: string;
}

const skipped = z.object({ name: z.string(), version: z.string(), reason: z.string() });
export type ImportSkipped = z.infer<typeof skipped>;

const policy = z.object({ policy: z.string(), setting: z.string().nullable(), note: z.string() });
export type ImportedPolicy = z.infer<typeof policy>;

/** Sums over the services of an import. */
export interface ImportTotals extends z.infer<typeof importedCounts> {
  projects: number;
  services: number;
  refused: number;
  unmatched: number;
}

/** The contract's Import. */
export interface ImportView {
  id: string;
  source: ImportSource;
  source_version: string | null;
  status: ImportStatus;
  error: string | null;
  totals: ImportTotals;
  /** Null for a scope: what has no project here belongs to none. */
  skipped_total: number | null;
  skipped: ImportSkipped[] | null;
  policies: ImportedPolicy[] | null;
  created_by: DecisionActor | null;
  created_at: string;
  updated_at: string;
}

export const createImport = rpc<ImportView>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'create-import.v1',
  request: z.object({
    source: z.enum(importSources),
    source_version: z.string().nullable(),
    created_by: decisionActor.optional(),
  }),
});

const importChanges = z
  .object({
    status: z.enum(reportedStatuses),
    error: z.string().nullable(),
    services: z.array(importedService),
    skipped_total: count,
    skipped: z.array(skipped),
    policies: z.array(policy).nullable(),
  })
  .partial();
export type ImportChanges = z.infer<typeof importChanges>;

/**
 * Absent fields stay. An entry of `services` replaces the one of the same project and service. Fails with
 * `import_not_found`, `project_not_found`.
 */
export const updateImport = rpc<ImportView>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'update-import.v1',
  request: z.object({
    import_id: id,
    changes: importChanges,
  }),
});

/** Newest first. `of_project`: only imports into these projects, counted over them. */
export const listImports = rpc<PageOf<ImportView>>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'list-imports.v1',
  request: page.extend({ of_project: projectScope.nullable() }),
});

const named = { import_id: id, of_project: projectScope.nullable() };

/** Fails with `import_not_found`, also if it brought nothing into these projects. */
export const readImport = rpc<ImportView>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'read-import.v1',
  request: z.object(named),
});

/** By project and service. Fails like `readImport`. */
export const listImportedServices = rpc<PageOf<ImportedServiceView>>()({
  service: 'catalog',
  callers: ['gateway'],
  name: 'list-imported-services.v1',
  request: page.extend(named),
});
