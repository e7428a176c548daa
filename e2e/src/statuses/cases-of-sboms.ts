import { npmDocument } from '../support/examples';
import { maxUploadBytes } from './cases-of-every-operation';
import type { StatusCase } from './status-case';
import type { Harness } from './harness';

/** A form of these fields; `file` may be text or bytes. */
function form(fields: Record<string, string>, file: string | Uint8Array | null): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  if (file !== null) data.set('file', new Blob([file as Uint8Array<ArrayBuffer>]), 'sbom.json');
  return data;
}

/** An upload of this file to the world's project. */
function uploadOf(file: string | Uint8Array) {
  return ({ project }: Harness) => ({ body: form({ project_id: project.id }, file) });
}

const sbomNotFound = { status: 404, code: 'sbom_not_found' };

/** Asks for the tag of an answer, and sends it back with the same request. */
function whoHasIt(suffix: string) {
  return async ({ stack: { target }, ids }: Harness) => {
    const response = await target.fetch(`${target.baseUrl}/api/v1/sboms/${ids.sbom_id}${suffix}`, {
      headers: { authorization: `Bearer ${target.apiKey}` },
    });
    return { headers: { 'if-none-match': response.headers.get('etag') ?? '' } };
  };
}

/** What an upload and a check refuse alike. */
function refusedDocuments(operationId: string): StatusCase[] {
  return [
    ...(
      [
        ['malformed_json', 'the file is not JSON', 'no JSON'],
        ['unsupported_sbom_format', 'the file is JSON, but no SBOM', '{}'],
        [
          'unsupported_sbom_version',
          'the version of the format is not accepted',
          '{"bomFormat":"CycloneDX","specVersion":"9.9","components":[]}',
        ],
        [
          'invalid_sbom',
          'a component has no name',
          '{"bomFormat":"CycloneDX","specVersion":"1.5","version":1,"components":[{"type":"library"}]}',
        ],
      ] as const
    ).map(([code, when, file]) => ({
      operationId,
      status: 400,
      code,
      when,
      request: uploadOf(file),
    })),
    {
      operationId,
      status: 400,
      code: 'malformed_multipart',
      when: 'the multipart body is cut off',
      request: () => ({
        body: Buffer.from('--b\r\nContent-Disposition: form-data; name="version"\r\n\r\n1'),
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      }),
    },
    {
      operationId,
      status: 400,
      code: 'unsupported_media_type',
      when: 'the body is JSON, no form',
      request: () => ({ body: {} }),
    },
    {
      operationId,
      status: 413,
      code: 'payload_too_large',
      when: 'the file is larger than MAX_UPLOAD_BYTES',
      request: uploadOf(new Uint8Array(maxUploadBytes + 1)),
    },
    {
      operationId,
      status: 404,
      code: 'project_not_found',
      when: 'the project does not exist',
      request: ({ unknownId }) => ({ body: form({ project_id: unknownId }, npmDocument('x', [])) }),
    },
    {
      operationId,
      status: 422,
      when: 'the project is named by id and by slug',
      request: ({ project }) => ({
        body: form({ project_id: project.id, project_slug: project.slug }, npmDocument('x', [])),
      }),
    },
    {
      operationId,
      status: 422,
      when: 'there is no file',
      request: ({ project }) => ({ body: form({ project_id: project.id }, null) }),
    },
  ];
}

export const sbomCases: StatusCase[] = [
  {
    operationId: 'uploadSbom',
    status: 201,
    when: 'CycloneDX, to a project by its id',
    request: ({ project }) => ({
      body: form(
        { project_id: project.id, version: '1', service_name: 'shop' },
        npmDocument('shop', ['lodash@4.17.15']),
      ),
    }),
  },
  {
    operationId: 'uploadSbom',
    status: 201,
    when: 'to a project by its slug',
    request: ({ project }) => ({
      body: form({ project_slug: project.slug }, npmDocument('slug', [])),
    }),
  },
  ...['uploadSbom', 'checkSbom'].flatMap(refusedDocuments),
  {
    operationId: 'uploadSbom',
    status: 422,
    when: 'no project is named',
    request: () => ({ body: form({}, npmDocument('x', [])) }),
  },
  {
    operationId: 'checkSbom',
    status: 200,
    when: 'a document of no project, with a gate',
    request: () => ({
      query: { fail_on: 'low', only_new: 'true', baseline: 'none' },
      body: form({}, npmDocument('pr', ['lodash@4.17.15'])),
    }),
  },
  {
    operationId: 'checkSbom',
    status: 200,
    when: 'a document of a service that does not exist',
    request: ({ project }) => ({
      body: form({ project_id: project.id, service_name: 'none such' }, npmDocument('pr', [])),
    }),
  },
  {
    operationId: 'checkSbom',
    status: 404,
    code: 'baseline_not_found',
    when: 'the baseline does not exist',
    request: ({ project }) => ({
      query: { baseline: 'none such' },
      body: form({ project_id: project.id }, npmDocument('pr', [])),
    }),
  },
  {
    operationId: 'checkSbom',
    status: 422,
    when: 'the severity is none',
    request: () => ({ query: { fail_on: 'terrible' }, body: form({}, npmDocument('pr', [])) }),
  },
  { operationId: 'getSbom', status: 200, when: 'it exists' },
  {
    operationId: 'getSbom',
    status: 200,
    when: 'as CycloneDX',
    request: () => ({ query: { format: 'cyclonedx' } }),
  },
  {
    operationId: 'getSbom',
    status: 304,
    when: 'the client has it as it is',
    request: whoHasIt(''),
  },
  {
    operationId: 'getSbom',
    ...sbomNotFound,
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { sbom_id: unknownId } }),
  },
  { operationId: 'listSbomCoverage', status: 200, when: 'it exists' },
  {
    operationId: 'listSbomCoverage',
    status: 200,
    when: 'components with one reason are asked for',
    request: () => ({ query: { reason: 'starter_data', per_page: '1' } }),
  },
  {
    operationId: 'listSbomCoverage',
    ...sbomNotFound,
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { sbom_id: unknownId } }),
  },
  {
    operationId: 'listSbomCoverage',
    status: 422,
    when: 'the reason is none',
    request: () => ({ query: { reason: 'bad_luck' } }),
  },
  { operationId: 'getSbomVerdict', status: 200, when: 'it exists' },
  {
    operationId: 'getSbomVerdict',
    status: 200,
    when: 'a gate at low asks for what is new',
    request: () => ({ query: { fail_on: 'low', only_new: 'true', wait: '1' } }),
  },
  {
    operationId: 'getSbomVerdict',
    ...sbomNotFound,
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { sbom_id: unknownId } }),
  },
  {
    operationId: 'getSbomVerdict',
    status: 422,
    when: 'the severity is none',
    request: () => ({ query: { fail_on: 'terrible' } }),
  },
  { operationId: 'downloadSbom', status: 200, when: 'it exists' },
  {
    operationId: 'downloadSbom',
    status: 304,
    when: 'the client has it',
    request: whoHasIt('/download'),
  },
  {
    operationId: 'downloadSbom',
    ...sbomNotFound,
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { sbom_id: unknownId } }),
  },
  {
    operationId: 'listDependencyPaths',
    status: 200,
    when: 'the SBOM exists',
    request: () => ({ query: { purl: 'pkg:npm/lodash@4.17.15' } }),
  },
  {
    operationId: 'listDependencyPaths',
    ...sbomNotFound,
    when: 'the SBOM does not exist',
    request: ({ unknownId }) => ({
      path: { sbom_id: unknownId },
      query: { purl: 'pkg:npm/lodash@4.17.15' },
    }),
  },
  { operationId: 'listDependencyPaths', status: 422, when: 'no purl is given' },
  { operationId: 'listDependencyGraph', status: 200, when: 'the SBOM exists' },
  {
    operationId: 'listDependencyGraph',
    ...sbomNotFound,
    when: 'the SBOM does not exist',
    request: ({ unknownId }) => ({ path: { sbom_id: unknownId } }),
  },
  {
    operationId: 'listDependencyGraph',
    status: 422,
    when: 'the document has no such component',
    request: () => ({ query: { parent: 'nobody' } }),
  },
  { operationId: 'diffSboms', status: 200, when: 'both exist' },
  {
    operationId: 'diffSboms',
    ...sbomNotFound,
    when: 'the first does not exist',
    request: ({ unknownId }) => ({ path: { sbom_id: unknownId } }),
  },
  {
    operationId: 'diffSboms',
    ...sbomNotFound,
    when: 'the other does not exist',
    request: ({ unknownId }) => ({ path: { other_id: unknownId } }),
  },
  {
    operationId: 'deleteSbom',
    status: 204,
    when: 'it exists',
    request: async ({ project, newSbom }) => ({
      path: { sbom_id: (await newSbom(project.id)).id },
    }),
  },
  {
    operationId: 'deleteSbom',
    ...sbomNotFound,
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { sbom_id: unknownId } }),
  },
];
