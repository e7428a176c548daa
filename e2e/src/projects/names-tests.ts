/// <reference types="jest" />
import { randomUUID } from 'node:crypto';
import { send, type Project } from '@bomtrail/api-client';
import { npmDocument } from '../support/examples';
import type { TestStack } from '../support/test-stack';

const rocket = '🚀';

interface Outcome {
  status: number;
  body: Record<string, unknown>;
}
/** A name that no other test uses; its beginning makes the slug. */
const unique = (text: string): string => `${text} ${randomUUID()}`;

/** What a 422 says of its fields. */
function problems({ status, body }: Outcome): unknown[] {
  if (status !== 422) return [status, body['code']];
  return (body['detail'] as { loc: string[]; type: string; ctx?: object }[]).map(
    ({ loc, type, ctx }) => [...loc, type, ctx],
  );
}

const withoutRoot = Buffer.from(
  '{"bomFormat":"CycloneDX","specVersion":"1.5","version":1,"components":[]}',
);
const spdx = Buffer.from(
  JSON.stringify({
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: 'a document',
    documentNamespace: 'https://example.org/a-document',
    creationInfo: { created: '2026-01-01T00:00:00Z', creators: ['Tool: none'] },
    packages: [{ name: 'left', SPDXID: 'SPDXRef-left', downloadLocation: 'NOASSERTION' }],
  }),
);

/** Tests of the names of projects and services. */
export function namesTests(stack: () => TestStack): void {
  let running: TestStack;

  beforeAll(() => {
    running = stack();
  });

  async function call(method: 'POST' | 'PATCH', path: string, body: unknown): Promise<Outcome> {
    const { baseUrl, apiKey } = running.stack;
    const response = await send({ baseUrl, apiKey }, { method, path, body });
    return { status: response.status, body: (await response.json()) as Outcome['body'] };
  }

  const create = (body: object): Promise<Outcome> => call('POST', '/api/v1/projects', body);
  const rename = (id: string, name: string): Promise<Outcome> =>
    call('PATCH', `/api/v1/projects/${id}`, { name });
  const newProject = (): Promise<Project> =>
    running.client.createProject({ name: unique('names') });

  async function uploadTo(
    projectId: string,
    fields: Record<string, string>,
    file: Uint8Array = npmDocument('the root', []),
  ): Promise<Outcome> {
    const form = new FormData();
    form.set('project_id', projectId);
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('file', new Blob([file as Uint8Array<ArrayBuffer>]), 'sbom.json');
    return call('POST', '/api/v1/sboms/upload', form);
  }

  async function servicesOf(projectId: string): Promise<string[]> {
    return (await running.client.listServices(projectId)).map(({ name }) => name);
  }

  describe('Service naming rules', () => {
    test('1 to 3: the first upload makes the service, its name stays as it was given, each spelling is one', async () => {
      const { id } = await newProject();
      const names = [
        'Shop',
        'shop',
        ' Shop ',
        'Sho\u0301p',
        'Sh\u00f3p',
        rocket,
        '商店',
        'a/b?c=%2F',
      ];
      for (const service_name of [...names, ...names]) {
        expect(await uploadTo(id, { service_name })).toMatchObject({ status: 201 });
      }
      expect((await servicesOf(id)).sort()).toEqual([...names].sort());
    });

    test('4: without a name the root component of a CycloneDX document gives it', async () => {
      const { id } = await newProject();
      await uploadTo(id, {});
      await uploadTo(id, { service_name: '' });
      await uploadTo(id, { service_name: ' \t ' });
      expect(await servicesOf(id)).toEqual(['the root']);
    });

    test('4: a longer name of the root component is cut at 255 characters', async () => {
      const { id } = await newProject();
      await uploadTo(id, {}, npmDocument(rocket.repeat(300), []));
      await uploadTo(id, { service_name: rocket.repeat(255) });
      expect(await servicesOf(id)).toEqual([rocket.repeat(255)]);
    });

    test.each<[string, Buffer]>([
      ['a CycloneDX document without a root', withoutRoot],
      ['a root with a blank name', npmDocument('  ', [])],
      ['an SPDX document', spdx],
    ])(
      '5: %s and no name belongs to no service and stands at project level',
      async (_what, file) => {
        const { id } = await newProject();
        const { status, body } = await uploadTo(id, { version: '1' }, file);
        expect(status).toBe(201);
        expect(await servicesOf(id)).toEqual([]);
        const detail = await running.client.sbom(String(body['id']));
        expect(detail).toMatchObject({ service_id: null, service_name: null, project_id: id });
        expect((await running.client.history(id)).items.map((item) => item.id)).toEqual([
          detail.id,
        ]);
      },
    );
  });

  describe('A project’s name', () => {
    // The star stands for what no other name has.
    test.each([
      ['composed or not', 'Café *', 'Cafe\u0301 *'],
      ['in another case', 'web SHOP *', 'Web Shop *'],
      ['with white space around it', 'Store *', ' \t Store * \u00a0'],
      ['with sharp s', 'STRASSE *', 'straße *'],
      ['with capital sharp s', 'Weg ẞ *', 'weg ss *'],
      ['with a dotted capital I', 'İzmir *', 'i\u0307zmir *'],
      ['with a final sigma', 'ΟΔΟΣ *', 'οδοσ *'],
      ['with a ligature', 'ﬁnal *', 'FINAL *'],
      ['of an emoji', `* ${rocket}`, ` * ${rocket} `],
    ])('is taken however it is spelt: %s', async (_how, one, other) => {
      const mark = randomUUID();
      const [first, second] = [one.replace('*', mark), other.replace('*', mark.toUpperCase())];
      expect(await create({ name: first })).toMatchObject({ status: 201, body: { name: first } });
      expect(await create({ name: second })).toMatchObject({
        status: 409,
        body: { code: 'project_name_taken' },
      });
      const another = await newProject();
      expect(await rename(another.id, second)).toMatchObject({ status: 409 });
    });

    test.each([
      ['Kırım', 'Kirim'],
      ['İzmir', 'izmir'],
      ['café', 'cafe'],
      ['a b', 'a  b'],
      [rocket, '🛸'],
    ])('is another one where its letters are: %s and %s', async (one, other) => {
      const mark = randomUUID();
      expect((await create({ name: `${one}-${mark}` })).status).toBe(201);
      expect((await create({ name: `${other}-${mark}` })).status).toBe(201);
    });

    test('is stored trimmed, otherwise as it was given', async () => {
      const name = unique('Cafe\u0301  ẞ');
      const { body } = await create({ name: `\t ${name}\u3000\n` });
      expect(body['name']).toBe(name);
      expect((await rename(String(body['id']), `  ${name}! `)).body['name']).toBe(`${name}!`);
    });

    test('has 1 to 255 characters, counted after trimming and by code points', async () => {
      const longest = `${randomUUID()}${rocket.repeat(255 - 36)}`;
      const tooLong = [['body', 'name', 'string_too_long', { max_length: 255 }]];
      const made = await create({ name: ` ${longest} ` });
      expect(made).toMatchObject({ status: 201, body: { name: longest } });
      expect(problems(await create({ name: `${longest}${rocket}` }))).toEqual(tooLong);
      const id = String(made.body['id']);
      expect(problems(await rename(id, `${longest}${rocket}`))).toEqual(tooLong);
      const tooShort = [['body', 'name', 'string_too_short', { min_length: 1 }]];
      for (const name of ['', ' \t\u00a0']) {
        expect(problems(await create({ name }))).toEqual(tooShort);
        expect(problems(await rename(id, name))).toEqual(tooShort);
      }
    });
  });

  describe('The other texts', () => {
    test('platform has at most 50 characters, repo_url at most 1024', async () => {
      const { id } = await newProject();
      const url = (length: number): string => 'https://example.org/'.padEnd(length, 'x');
      for (const [send, status] of [
        [(fields: object) => create({ name: unique('bounds'), ...fields }), 201],
        [(fields: object) => call('PATCH', `/api/v1/projects/${id}`, fields), 200],
      ] as const) {
        expect(await send({ platform: rocket.repeat(50), repo_url: url(1024) })).toMatchObject({
          status,
          body: { platform: rocket.repeat(50), repo_url: url(1024) },
        });
        expect(problems(await send({ platform: rocket.repeat(51), repo_url: url(1025) }))).toEqual([
          ['body', 'repo_url', 'string_too_long', { max_length: 1024 }],
          ['body', 'platform', 'string_too_long', { max_length: 50 }],
        ]);
      }
    });

    test('version and service_name of an upload have at most 255 characters, and stay as they were given', async () => {
      const { id } = await newProject();
      const longest = { version: rocket.repeat(255), service_name: 'ü'.repeat(255) };
      const { status, body } = await uploadTo(id, longest);
      expect(status).toBe(201);
      expect(await running.client.sbom(String(body['id']))).toMatchObject(longest);
      const tooLong = { version: rocket.repeat(256), service_name: 'ü'.repeat(256) };
      expect(problems(await uploadTo(id, tooLong))).toEqual([
        ['body', 'version', 'string_too_long', { max_length: 255 }],
        ['body', 'service_name', 'string_too_long', { max_length: 255 }],
      ]);
      expect(await servicesOf(id)).toEqual([longest.service_name]);
    });
  });

  describe('A project’s slug', () => {
    const slugOf = async (name: string): Promise<unknown> => (await create({ name })).body['slug'];

    test.each([
      ['Crème Brûlée', 'creme-brulee'],
      ['Straße 7 / İstanbul', 'strasse-7-istanbul'],
      ['--A__b..C--', 'a-b-c'],
      ['Ⅷ ﬁle ²', 'viii-file-2'],
    ])('is made of the letters of “%s”', async (name, slug) => {
      expect(await slugOf(name)).toBe(slug);
    });

    test('is “project” where no such letters are left, and is numbered where it is taken', async () => {
      const slugs = [];
      for (const name of ['商店', rocket, '!!!', 'Магазин']) slugs.push(await slugOf(name));
      expect(slugs).toEqual(['project', 'project-2', 'project-3', 'project-4']);
    });

    test('stays within 80 characters with its number', async () => {
      const long = 'x'.repeat(100);
      expect(await slugOf(long)).toBe('x'.repeat(80));
      expect(await slugOf(`${long}y`)).toBe(`${'x'.repeat(78)}-2`);
      expect(await slugOf(`${long}z`)).toBe(`${'x'.repeat(78)}-3`);
    });

    test('stays when the project is renamed, and finds it', async () => {
      const { body } = await create({ name: 'Before the rename' });
      const renamed = await rename(String(body['id']), 'After the rename');
      expect(renamed).toMatchObject({
        status: 200,
        body: { name: 'After the rename', slug: 'before-the-rename' },
      });
      expect(await slugOf('Before the rename')).toBe('before-the-rename-2');
      const form = new FormData();
      form.set('project_slug', 'before-the-rename');
      form.set('file', new Blob([withoutRoot]), 'sbom.json');
      expect((await call('POST', '/api/v1/sboms/upload', form)).status).toBe(201);
      expect((await running.client.history(String(body['id']))).total).toBe(1);
    });
  });
}
