import * as messages from '@bomtrail/messages';
import { expectThe, type Fake } from './fake';
import { instant, project, projectId } from './fake-data';

export const importId = '0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4e80';

const counts = {
  versions: 3,
  uploaded: 3,
  findings_there: 4,
  findings_here: 3,
  analyses: 4,
  decided: 2,
};

const brought: messages.ImportView = {
  id: importId,
  source: 'dependency-track',
  source_version: '4.13.2',
  status: 'finished',
  error: null,
  totals: { ...counts, projects: 1, services: 1, refused: 0, unmatched: 1 },
  skipped_total: 1,
  skipped: [{ name: 'web', version: '0.9', reason: 'no_sbom' }],
  policies: null,
  created_by: null,
  created_at: instant,
  updated_at: instant,
};

const unmatched = { vulnerability: 'CVE-2020-1', component: 'pkg:npm/a@1', reason: 'not_found' };

/** Plays the report of one import into the one project. */
export function fakeImports(play: Fake): void {
  const isVisible = (of_project: messages.ProjectScope | null) =>
    messages.isInScope(of_project, projectId);
  const seen = (of_project: messages.ProjectScope | null): messages.ImportView =>
    of_project === null
      ? brought
      : { ...brought, skipped_total: null, skipped: null, policies: null };
  play(messages.createImport, ({ created_by = null, ...body }) => ({
    ...brought,
    ...body,
    status: 'running',
    created_by,
  }));
  play(messages.updateImport, ({ import_id, changes: { services = [], ...changes } }) => {
    expectThe(import_id === importId, 'import_not_found');
    const existing = services.every(({ project_id }) => project_id === projectId);
    expectThe(existing, 'project_not_found');
    return { ...brought, ...changes };
  });
  play(messages.listImports, ({ of_project }) => {
    const items = isVisible(of_project) ? [seen(of_project)] : [];
    return { items, total: items.length };
  });
  play(messages.readImport, ({ import_id, of_project }) => {
    expectThe(import_id === importId && isVisible(of_project), 'import_not_found');
    return seen(of_project);
  });
  play(messages.listImportedServices, ({ import_id, of_project }) => {
    expectThe(import_id === importId && isVisible(of_project), 'import_not_found');
    const names = { project_name: project.name, project_slug: project.slug };
    const refused = { refused_total: 0, refused: [] };
    const left = { ...refused, unmatched_total: 1, unmatched: [unmatched] };
    const items = [{ project_id: projectId, service: 'web', ...names, ...counts, ...left }];
    return { items, total: 1 };
  });
}
