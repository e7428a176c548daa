import { maxUploadBytes } from './cases-of-every-operation';
import type { Harness } from './harness';
import type { StatusCase } from './status-case';
import { vexDocument } from './vex-document';

function form(project_id: string, file: string | null): FormData {
  const data = new FormData();
  data.set('project_id', project_id);
  if (file !== null) data.set('file', new Blob([file]), 'vex.json');
  return data;
}

const fileOf =
  (file: string | null) =>
  ({ project }: Harness) => ({ body: form(project.id, file) });
const notFound = { status: 404, code: 'vex_not_found' } as const;
const unknown = ({ unknownId }: Harness) => ({ path: { vex_id: unknownId } });

export const vexCases: StatusCase[] = [
  { operationId: 'listVex', status: 200, when: 'there is a document' },
  ...['openvex', 'cyclonedx', 'csaf'].map((format) => ({
    operationId: 'exportVex',
    status: 200,
    when: `as ${format}`,
    request: () => ({ query: { format } }),
  })),
  {
    operationId: 'exportVex',
    status: 404,
    code: 'no_decisions',
    when: 'nothing is decided',
    request: async ({ newProject }) => ({ path: { project_id: (await newProject()).id } }),
  },
  {
    operationId: 'exportVex',
    status: 404,
    code: 'project_not_found',
    when: 'there is no such project',
    request: ({ unknownId }) => ({ path: { project_id: unknownId } }),
  },
  {
    operationId: 'exportVex',
    status: 200,
    when: 'of one SBOM',
    request: ({ ids }) => ({ query: { format: 'csaf', sbom_id: ids.sbom_id ?? '' } }),
  },
  {
    operationId: 'exportVex',
    status: 404,
    code: 'sbom_not_found',
    when: 'there is no such SBOM',
    request: ({ unknownId }) => ({ query: { sbom_id: unknownId } }),
  },
  ...['openvex', 'cyclonedx', 'csaf'].map((format) => ({
    operationId: 'exportVex',
    status: 404,
    code: 'service_not_found',
    when: `there is no such service, as ${format}`,
    request: ({ unknownId }: Harness) => ({ query: { format, service_id: unknownId } }),
  })),
  { operationId: 'getVex', status: 200, when: 'the document exists' },
  { operationId: 'getVex', ...notFound, when: 'there is no such document', request: unknown },
  { operationId: 'deleteVex', ...notFound, when: 'there is no such document', request: unknown },
  {
    operationId: 'importVex',
    status: 200,
    when: 'an OpenVEX document',
    request: fileOf(vexDocument('first')),
  },
  {
    operationId: 'importVex',
    status: 409,
    code: 'vex_outdated',
    when: 'a newer version is stored',
    request: async ({ project, newVex }) => {
      await newVex('newest', 2);
      return { body: form(project.id, vexDocument('newest')) };
    },
  },
  {
    operationId: 'importVex',
    status: 404,
    code: 'project_not_found',
    when: 'there is no such project',
    request: ({ unknownId }) => ({ body: form(unknownId, vexDocument('x')) }),
  },
  ...(
    [
      ['malformed_json', 'the file is not JSON', 'no JSON'],
      ['unsupported_vex_format', 'the file is JSON, but no VEX document', '{}'],
      ['invalid_vex', 'a field is missing', '{"@context":"https://openvex.dev/ns/v0.2.0"}'],
    ] as const
  ).map(([code, when, file]) => ({
    operationId: 'importVex',
    status: 400,
    code,
    when,
    request: fileOf(file),
  })),
  { operationId: 'importVex', status: 422, when: 'there is no file', request: fileOf(null) },
  {
    operationId: 'importVex',
    status: 413,
    code: 'payload_too_large',
    when: 'the file is larger than the limit of uploads',
    request: fileOf(' '.repeat(maxUploadBytes + 1)),
  },
  {
    operationId: 'deleteVex',
    status: 204,
    when: 'the document exists',
    request: async ({ newVex }) => ({ path: { vex_id: await newVex('gone') } }),
  },
];
