import { getProject, listProjects, updateProject, type ProjectView } from '@bomtrail/messages';
import { startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog({ processes: 2 });
});
afterAll(() => catalog?.stop());

describe('project names', () => {
  test('a name is taken however it is spelt in case, composition and outer white space', async () => {
    const project = await catalog.newProject('  Café Straße ');
    expect(project).toMatchObject({ name: 'Café Straße', slug: 'cafe-strasse' });
    for (const name of ['CAFÉ STRASSE', 'Cafe\u0301 straße', ' café straße\n']) {
      await expect(catalog.newProject(name)).rejects.toMatchObject({ code: 'project_name_taken' });
    }
  });

  test('fifty parallel creations of one name give one project', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 50 }, () => catalog.newProject('One of fifty')),
    );
    const made = tries.filter((outcome) => outcome.status === 'fulfilled');
    const refused = tries.filter((outcome) => outcome.status === 'rejected');
    expect(made).toHaveLength(1);
    expect(new Set(refused.map(({ reason }) => (reason as { code: string }).code))).toEqual(
      new Set(['project_name_taken']),
    );
    const { body } = await catalog.bus.request(listProjects, {
      page: 1,
      per_page: 200,
      name: 'one OF fifty',
    });
    expect(body.total).toBe(1);
  });

  test('names that differ but give one slug are numbered without a gap, also at once', async () => {
    const long = 'y'.repeat(79);
    const names = ['!', '?', '+', '*', '=', '~'].map((end) => `${long}z${end}`);
    const projects = await Promise.all(names.map((name) => catalog.newProject(name)));
    expect(projects.map(({ slug }) => slug).sort()).toEqual(
      [2, 3, 4, 5, 6].map((n) => `${'y'.repeat(78)}-${n}`).concat(`${long}z`),
    );
  });

  test('a rename keeps the slug, frees the old name and respects the others', async () => {
    const project = await catalog.newProject('First name');
    await catalog.newProject('Second name');
    const rename = async (name: string): Promise<ProjectView> =>
      (await catalog.bus.request(updateProject, { project_id: project.id, changes: { name } }))
        .body;
    await expect(rename('SECOND NAME')).rejects.toMatchObject({ code: 'project_name_taken' });
    expect(await rename('first NAME')).toMatchObject({ name: 'first NAME', slug: 'first-name' });
    const renamed = await rename(' Third name ');
    expect(renamed).toMatchObject({ name: 'Third name', slug: 'first-name' });
    expect(renamed.updated_at).not.toBeNull();
    expect((await catalog.newProject('First name')).slug).toBe('first-name-2');
  });
});

test('a project is found by its slug, and an unknown one is refused', async () => {
  const project = await catalog.newProject('Found by slug');
  const find = (project_slug: string) =>
    catalog.bus.request(getProject, { project_id: null, project_slug });
  expect((await find('found-by-slug')).body).toEqual(project);
  await expect(find('found-by')).rejects.toMatchObject({ code: 'project_not_found' });
});
