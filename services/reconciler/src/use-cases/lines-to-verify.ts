import {
  listAllServices,
  maxServicesListed,
  nameServices,
  type ServiceNames,
} from '@bomtrail/messages';
import type { VerifyLineDeps } from './verify-line';

const linesPerPage = maxServicesListed;

/** What is looked at: all lines, those of a project, or one. */
export interface Scope {
  project_id?: string | undefined;
  service_id?: string | undefined;
}

/** A line with the names that the catalog has for it; none where the catalog does not have it. */
export interface NamedLine {
  service_id: string;
  project_id: string;
  names: ServiceNames | null;
}

/**
 * Every line that the catalog or the reconciler has, in the order of their ids; of all projects also
 * lines of which only rows or log entries are left.
 */
export async function* pagesOfLines(
  deps: VerifyLineDeps,
  scope: Scope,
): AsyncGenerator<NamedLine[]> {
  if (scope.service_id !== undefined) {
    yield await oneLine(deps, scope.service_id);
    return;
  }
  let after: string | null = null;
  do {
    const page: Page = await readPage(deps, scope.project_id, after);
    yield page.lines;
    after = page.end;
  } while (after !== null);
}

/** None where neither the catalog nor the reconciler has anything of it. */
async function oneLine(
  { request, checks }: VerifyLineDeps,
  service_id: string,
): Promise<NamedLine[]> {
  const [names = null] = (await request(nameServices, { service_ids: [service_id] })).body;
  const project_id = names?.project_id ?? (await checks.projectOf(service_id));
  return project_id === null ? [] : [{ service_id, project_id, names }];
}

interface Page {
  lines: NamedLine[];
  /** The id behind which the next page begins; null at the end. */
  end: string | null;
}

async function readPage(
  { request, checks }: VerifyLineDeps,
  project_id: string | undefined,
  after: string | null,
): Promise<Page> {
  const { body } = await request(listAllServices, { project_id, after, limit: linesPerPage });
  const held = await checks.ledgersAfter({ project_id, after }, linesPerPage);
  const ends = [body.next ?? [], held.length < linesPerPage ? [] : (held.at(-1)?._id ?? [])];
  const end = ends.flat().sort()[0] ?? null;
  const found = new Map<string, NamedLine>();
  for (const { _id, project_id: project } of held) {
    found.set(_id, { service_id: _id, project_id: project, names: null });
  }
  for (const names of body.lines) {
    found.set(names.service_id, {
      service_id: names.service_id,
      project_id: names.project_id,
      names,
    });
  }
  const others = project_id === undefined ? await checks.linesWithAnything(after, end) : [];
  for (const service_id of others) {
    if (found.has(service_id)) continue;
    const project = (await checks.projectOf(service_id)) ?? '';
    found.set(service_id, { service_id, project_id: project, names: null });
  }
  const lines = [...found.values()].filter(({ service_id }) => end === null || service_id <= end);
  return { lines, end };
}
