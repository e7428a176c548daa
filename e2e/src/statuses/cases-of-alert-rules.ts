import type { StatusCase } from './status-case';

const ruleNotFound = { status: 404, code: 'alert_rule_not_found' };

export const alertRuleCases: StatusCase[] = [
  { operationId: 'listAlertRules', status: 200, when: 'a page of alert rules' },
  {
    operationId: 'listAlertRules',
    status: 422,
    when: 'per_page is 0',
    request: () => ({ query: { per_page: '0' } }),
  },
  {
    operationId: 'createAlertRule',
    status: 201,
    when: 'for a project, with the defaults',
    request: ({ project }) => ({ body: { project_id: project.id } }),
  },
  {
    operationId: 'createAlertRule',
    status: 404,
    code: 'project_not_found',
    when: 'the project does not exist',
    request: ({ unknownId }) => ({ body: { project_id: unknownId } }),
  },
  {
    operationId: 'createAlertRule',
    status: 422,
    when: 'the webhook is at an internal address',
    request: ({ project }) => ({
      body: { project_id: project.id, config: { webhook_url: 'https://10.0.0.1/hook' } },
    }),
  },
  {
    operationId: 'updateAlertRule',
    status: 200,
    when: 'it exists',
    request: () => ({ body: { enabled: false, severity_threshold: null } }),
  },
  {
    operationId: 'updateAlertRule',
    ...ruleNotFound,
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { alert_id: unknownId }, body: {} }),
  },
  {
    operationId: 'updateAlertRule',
    status: 404,
    code: 'project_not_found',
    when: 'its new project does not exist',
    request: ({ unknownId }) => ({ body: { project_id: unknownId } }),
  },
  {
    operationId: 'updateAlertRule',
    status: 422,
    when: 'the severity is none',
    request: () => ({ body: { severity_threshold: 'severe' } }),
  },
  {
    operationId: 'deleteAlertRule',
    status: 200,
    when: 'it exists',
    request: async ({ newAlertRule }) => ({ path: { alert_id: await newAlertRule() } }),
  },
  {
    operationId: 'deleteAlertRule',
    ...ruleNotFound,
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { alert_id: unknownId } }),
  },
  { operationId: 'testAlertRule', status: 200, when: 'the channel is not configured' },
  {
    operationId: 'testAlertRule',
    ...ruleNotFound,
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { alert_id: unknownId } }),
  },
  { operationId: 'listAlertDeliveries', status: 200, when: 'a page of deliveries' },
  {
    operationId: 'listAlertDeliveries',
    ...ruleNotFound,
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { alert_id: unknownId } }),
  },
  {
    operationId: 'listAlertDeliveries',
    status: 422,
    when: 'per_page is 0',
    request: () => ({ query: { per_page: '0' } }),
  },
  { operationId: 'previewAlertRule', status: 200, when: 'it exists' },
  {
    operationId: 'previewAlertRule',
    ...ruleNotFound,
    when: 'it does not exist',
    request: ({ unknownId }) => ({ path: { alert_id: unknownId } }),
  },
];
