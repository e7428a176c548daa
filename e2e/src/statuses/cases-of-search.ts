import type { StatusCase } from './status-case';

/** Search, and the state of the advisories. */
export const searchCases: StatusCase[] = [
  { operationId: 'listRemediations', status: 200, when: 'there are open vulnerabilities' },
  {
    operationId: 'listRemediations',
    status: 422,
    when: 'a filter is unknown',
    request: () => ({ query: { package: 'lodash' } }),
  },
  { operationId: 'getStatistics', status: 200, when: 'of all projects' },
  {
    operationId: 'getStatistics',
    status: 422,
    when: 'more days are asked for than are kept',
    request: () => ({ query: { days: '732' } }),
  },
  {
    operationId: 'searchPackages',
    status: 200,
    when: 'services hold the purl',
    request: () => ({ query: { purl: 'pkg:npm/lodash@4.17.15' } }),
  },
  {
    operationId: 'searchPackages',
    status: 200,
    when: 'nobody holds the name',
    request: () => ({ query: { name: 'no-such-package' } }),
  },
  { operationId: 'searchPackages', status: 422, when: 'neither purl nor name is given' },
  {
    operationId: 'searchPackages',
    status: 422,
    when: 'both purl and name are given',
    request: () => ({ query: { purl: 'pkg:npm/lodash', name: 'lodash' } }),
  },
  {
    operationId: 'searchPackages',
    status: 422,
    when: 'the purl is none',
    request: () => ({ query: { purl: 'lodash@4.17.15' } }),
  },
  {
    operationId: 'searchPackages',
    status: 422,
    when: 'the purl is of another version',
    request: () => ({ query: { purl: 'pkg:npm/lodash@4.17.15', version: '4.17.21' } }),
  },
  {
    operationId: 'searchLicenses',
    status: 200,
    when: 'a group is searched',
    request: () => ({ query: { group: 'permissive' } }),
  },
  {
    operationId: 'searchLicenses',
    status: 422,
    when: 'the licence is no id of the list',
    request: () => ({ query: { license: 'AGPL' } }),
  },
  { operationId: 'searchLicenses', status: 422, when: 'neither licence nor group is given' },
  {
    operationId: 'searchVulnerability',
    status: 200,
    when: 'services have it',
    request: () => ({ path: { advisory_id: 'cve-2021-23337' } }),
  },
  {
    operationId: 'searchVulnerability',
    status: 200,
    when: 'the advisories know it, and nobody has it',
    request: () => ({ path: { advisory_id: 'GHSA-JFH8-C2JP-5V3Q' } }),
  },
  {
    operationId: 'searchVulnerability',
    status: 404,
    code: 'advisory_not_found',
    when: 'nobody has heard of it',
    request: () => ({ path: { advisory_id: 'CVE-1999-0000' } }),
  },
  {
    operationId: 'searchVulnerability',
    status: 422,
    when: 'the id has 201 characters',
    request: () => ({ path: { advisory_id: 'x'.repeat(201) } }),
  },
  { operationId: 'listAdvisoryFeeds', status: 200, when: 'the state of every ecosystem' },
];
