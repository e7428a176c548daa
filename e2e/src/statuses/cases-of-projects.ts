import type { StatusCase } from './status-case';

export const projectCases: StatusCase[] = [
  { operationId: 'listProjects', status: 200, when: 'a page of projects' },
  {
    operationId: 'listProjects',
    status: 422,
    when: 'per_page is over 200',
    request: () => ({ query: { per_page: '201' } }),
  },
  {
    operationId: 'createProject',
    status: 201,
    when: 'the name is free',
    request: () => ({ body: { name: 'A free name', platform: null } }),
  },
  {
    operationId: 'createProject',
    status: 409,
    code: 'project_name_taken',
    when: 'another project has the name',
    request: ({ project }) => ({ body: { name: project.name.toUpperCase() } }),
  },
  {
    operationId: 'createProject',
    status: 422,
    when: 'the name has 256 characters',
    request: () => ({ body: { name: 'x'.repeat(256) } }),
  },
  { operationId: 'getProject', status: 200, when: 'it exists' },
  {
    operationId: 'getProject',
    status: 404,
    code: 'project_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { project_id: unknownId } }),
  },
  {
    operationId: 'updateProject',
    status: 200,
    when: 'fields are changed',
    request: () => ({ body: { name: null, repo_url: 'git@git.example.org:shop/web.git' } }),
  },
  {
    operationId: 'updateProject',
    status: 404,
    code: 'project_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { project_id: unknownId }, body: {} }),
  },
  {
    operationId: 'updateProject',
    status: 409,
    code: 'project_name_taken',
    when: 'another project has the new name',
    request: async ({ newProject }) => ({ body: { name: (await newProject()).name } }),
  },
  {
    operationId: 'updateProject',
    status: 422,
    when: 'the platform has 51 characters',
    request: () => ({ body: { platform: 'x'.repeat(51) } }),
  },
  {
    operationId: 'deleteProject',
    status: 204,
    when: 'it exists, with an SBOM',
    request: async ({ newProject, newSbom }) => {
      const { id } = await newProject();
      await newSbom(id);
      return { path: { project_id: id } };
    },
  },
  {
    operationId: 'deleteProject',
    status: 404,
    code: 'project_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { project_id: unknownId } }),
  },
  { operationId: 'listProjectHistory', status: 200, when: 'a page of SBOMs' },
  {
    operationId: 'listProjectHistory',
    status: 404,
    code: 'project_not_found',
    when: 'the project does not exist',
    request: ({ unknownId }) => ({ path: { project_id: unknownId } }),
  },
  {
    operationId: 'listProjectHistory',
    status: 422,
    when: 'the page is 0',
    request: () => ({ query: { page: '0' } }),
  },
  { operationId: 'listExploitedEvidence', status: 200, when: 'a page of what is exploited' },
  {
    operationId: 'listExploitedEvidence',
    status: 404,
    code: 'project_not_found',
    when: 'the project does not exist',
    request: ({ unknownId }) => ({ path: { project_id: unknownId } }),
  },
  {
    operationId: 'listExploitedEvidence',
    status: 422,
    when: 'the page is 0',
    request: () => ({ query: { page: '0' } }),
  },
  {
    operationId: 'listServices',
    status: 200,
    when: 'the services of a project',
    request: ({ project }) => ({ query: { project_id: project.id } }),
  },
  {
    operationId: 'listServices',
    status: 200,
    when: 'none, of a project that does not exist',
    request: ({ unknownId }) => ({ query: { project_id: unknownId } }),
  },
  { operationId: 'listServices', status: 422, when: 'no project is named' },
  {
    operationId: 'updateService',
    status: 200,
    when: 'it gets an owner',
    request: () => ({ body: { owner: 'Team Checkout', labels: ['pci'] } }),
  },
  {
    operationId: 'updateService',
    status: 404,
    code: 'service_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { service_id: unknownId }, body: {} }),
  },
  {
    operationId: 'updateService',
    status: 422,
    when: 'a label has a comma',
    request: () => ({ body: { labels: ['a,b'] } }),
  },
  {
    operationId: 'deleteService',
    status: 204,
    when: 'it has no SBOM left',
    request: async ({ stack, newProject, newSbom, serviceOf }) => {
      const { id } = await newProject();
      const sbom = await newSbom(id);
      const service_id = await serviceOf(id);
      await stack.client.deleteSbom(sbom.id);
      return { path: { service_id } };
    },
  },
  {
    operationId: 'deleteService',
    status: 204,
    when: 'its SBOMs may go with it',
    request: async ({ newProject, newSbom, serviceOf }) => {
      const { id } = await newProject();
      await newSbom(id);
      return { path: { service_id: await serviceOf(id) }, query: { cascade: 'true' } };
    },
  },
  {
    operationId: 'deleteService',
    status: 404,
    code: 'service_not_found',
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { service_id: unknownId } }),
  },
  {
    operationId: 'deleteService',
    status: 409,
    code: 'service_has_sboms',
    when: 'it has an SBOM',
  },
  {
    operationId: 'deleteService',
    status: 422,
    when: 'cascade is neither true nor false',
    request: () => ({ query: { cascade: 'yes' } }),
  },
];
