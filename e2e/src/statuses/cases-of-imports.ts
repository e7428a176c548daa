import { importedService } from './harness';
import type { StatusCase } from './status-case';

/** Reports of imports from other programs. */
export const importCases: StatusCase[] = [
  { operationId: 'listImports', status: 200, when: 'a page of imports' },
  {
    operationId: 'createImport',
    status: 201,
    when: 'an import begins',
    request: () => ({ body: { source: 'dependency-track', source_version: '4.13.2' } }),
  },
  {
    operationId: 'createImport',
    status: 403,
    code: 'insufficient_scope',
    when: 'the key is bound to a project',
    request: async ({ newBoundKey }) => ({
      key: await newBoundKey(['write']),
      body: { source: 'dependency-track' },
    }),
  },
  {
    operationId: 'createImport',
    status: 422,
    when: 'the source is unknown',
    request: () => ({ body: { source: 'elsewhere' } }),
  },
  { operationId: 'getImport', status: 200, when: 'it exists' },
  {
    operationId: 'getImport',
    status: 404,
    code: 'import_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { import_id: unknownId } }),
  },
  {
    operationId: 'updateImport',
    status: 200,
    when: 'a service is reported again',
    request: ({ project }) => ({ body: { services: [importedService(project.id)] } }),
  },
  {
    operationId: 'updateImport',
    status: 403,
    code: 'insufficient_scope',
    when: 'the key is bound to a project',
    request: async ({ newBoundKey }) => ({
      key: await newBoundKey(['write']),
      body: { status: 'finished' },
    }),
  },
  {
    operationId: 'updateImport',
    status: 404,
    code: 'import_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({
      path: { import_id: unknownId },
      body: { status: 'finished' },
    }),
  },
  {
    operationId: 'updateImport',
    status: 404,
    code: 'project_not_found',
    when: 'a service is of a project that does not exist',
    request: ({ unknownId }) => ({ body: { services: [importedService(unknownId)] } }),
  },
  {
    operationId: 'updateImport',
    status: 422,
    when: 'the status is unknown',
    request: () => ({ body: { status: 'done' } }),
  },
  { operationId: 'listImportedServices', status: 200, when: 'a page of services' },
  {
    operationId: 'listImportedServices',
    status: 404,
    code: 'import_not_found',
    when: 'the import does not exist',
    request: ({ unknownId }) => ({ path: { import_id: unknownId } }),
  },
];
