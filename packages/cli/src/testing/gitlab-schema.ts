/**
 * The fields, formats and lengths of GitLab's dependency scanning report that a report of ours uses, compared with
 * GitLab's dependency-scanning-report-format.json 15.0.7, which no package carries. Ours is narrower where GitLab's
 * has no limit: the lengths of ids, names and paths.
 */
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength });
const time = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' };
const url = { type: 'string', pattern: '^(https?|ftp)://.+' };

const tool = {
  type: 'object',
  required: ['id', 'name', 'version', 'vendor'],
  properties: {
    id: text(255),
    name: text(255),
    version: text(255),
    vendor: { type: 'object', required: ['name'], properties: { name: text(255) } },
  },
};

const dependency = {
  type: 'object',
  required: ['package', 'version'],
  properties: {
    package: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    version: { type: 'string' },
    direct: { type: 'boolean' },
  },
};

const identifier = {
  type: 'object',
  required: ['type', 'name', 'value'],
  properties: { type: text(255), name: text(255), value: text(255), url },
};

export const gitlabSchema = {
  type: 'object',
  required: ['dependency_files', 'scan', 'version', 'vulnerabilities'],
  properties: {
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+$' },
    scan: {
      type: 'object',
      required: ['analyzer', 'scanner', 'start_time', 'end_time', 'status', 'type'],
      properties: {
        analyzer: tool,
        scanner: tool,
        start_time: time,
        end_time: time,
        status: { enum: ['success', 'failure'] },
        type: { enum: ['dependency_scanning'] },
      },
    },
    vulnerabilities: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'identifiers', 'location'],
        properties: {
          id: text(255),
          name: { type: 'string', maxLength: 255 },
          description: { type: 'string', maxLength: 1_048_576 },
          severity: { enum: ['Info', 'Unknown', 'Low', 'Medium', 'High', 'Critical'] },
          solution: { type: 'string', maxLength: 7_000 },
          identifiers: { type: 'array', minItems: 1, items: identifier },
          links: {
            type: 'array',
            items: { type: 'object', required: ['url'], properties: { url } },
          },
          location: {
            type: 'object',
            required: ['file', 'dependency'],
            properties: { file: text(1_024), dependency },
          },
        },
      },
    },
    dependency_files: {
      type: 'array',
      items: {
        type: 'object',
        required: ['path', 'package_manager', 'dependencies'],
        properties: {
          path: text(1_024),
          package_manager: text(255),
          dependencies: { type: 'array', items: dependency },
        },
      },
    },
  },
};
