import { loadContract, operationsOf } from './contract';
import { dereference } from './dereference';
import type { Checked, OperationValidators } from './types';

const contract = loadContract();

function validatorsOf(operationId: string): OperationValidators {
  const operation = contract.operations.get(operationId);
  if (!operation) throw new Error(`no operation ${operationId}`);
  return operation.validators;
}

/** `body.name string_too_long`, one line for each problem. */
function faults(checked: Checked<unknown>): string[] {
  return checked.ok ? [] : checked.problems.map(({ loc, type }) => `${loc.join('.')} ${type}`);
}

const labels = (count: number) => Array.from({ length: count }, (_, number) => `label ${number}`);

describe('owner and labels of a body', () => {
  test.each<[object, object]>([
    [{ owner: ' Team Käse ' }, { owner: 'Team Käse' }],
    [{ owner: '' }, { owner: null }],
    [
      { owner: null, labels: null },
      { owner: null, labels: null },
    ],
    [{ labels: [] }, { labels: [] }],
    [{ labels: labels(20) }, { labels: labels(20) }],
    [{ labels: ['🛒'.repeat(64), 'a b'] }, { labels: ['🛒'.repeat(64), 'a b'] }],
  ])('%j are accepted', (body, value) => {
    for (const operation of ['updateProject', 'updateService'])
      expect(validatorsOf(operation).body(body)).toEqual({ ok: true, value });
    const created = validatorsOf('createProject').body({ name: 'a', ...body });
    expect(created).toEqual({ ok: true, value: { name: 'a', ...value } });
  });

  test.each<[object, string[]]>([
    [{ owner: 5 }, ['body.owner string_type']],
    [{ owner: 'x'.repeat(256) }, ['body.owner string_too_long']],
    [{ labels: 'pci' }, ['body.labels list_type']],
    [{ labels: labels(21) }, ['body.labels too_long']],
    [{ labels: [5] }, ['body.labels.0 string_type']],
    [{ labels: ['ok', ' '] }, ['body.labels.1 value_error']],
    [{ labels: ['a,b'] }, ['body.labels.0 value_error']],
    [{ labels: ['a\nb'] }, ['body.labels.0 value_error']],
    [{ labels: ['x'.repeat(65)] }, ['body.labels.0 string_too_long']],
  ])('%j are refused', (body, expected) => {
    for (const operation of ['updateProject', 'updateService'])
      expect(faults(validatorsOf(operation).body(body))).toEqual(expected);
  });
});

const filtered = [
  ...['listProjects', 'listServices', 'listVulnerabilities', 'listActiveVulnerabilities'],
  ...['getVulnerabilitySummary', 'groupVulnerabilities', 'listRemediations'],
  ...['searchPackages', 'searchLicenses', 'searchVulnerability'],
];
const needed: Record<string, Record<string, string>> = {
  listServices: { project_id: '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11' },
  groupVulnerabilities: { group_by: 'package' },
  searchPackages: { name: 'a' },
  searchLicenses: { group: 'permissive' },
};

describe.each(filtered)('owner and label of %s', (operation) => {
  const query = (given: Record<string, string | string[]>) =>
    validatorsOf(operation).query({ ...needed[operation], ...given });

  test.each<[Record<string, string | string[]>, object]>([
    [
      { owner: 'Team A', label: 'pci, EU ,,pci' },
      { owner: 'Team A', label: ['pci', 'EU'] },
    ],
    [{ label: ['pci', 'eu'] }, { label: ['pci', 'eu'] }],
  ])('%j are taken', (given, expected) => {
    expect(query(given)).toMatchObject({ ok: true, value: expected });
  });

  test('empty ones count as not given', () => {
    const checked = query({ owner: '', label: ' , ' }) as { value: object };
    expect(Object.keys(checked.value)).not.toEqual(expect.arrayContaining(['owner', 'label']));
    expect(checked.value).not.toHaveProperty('owner');
    expect(checked.value).not.toHaveProperty('label');
  });

  test.each<[Record<string, string>, string[]]>([
    [{ owner: 'x'.repeat(256) }, ['query.owner string_too_long']],
    [{ label: labels(21).join(',') }, ['query.label value_error']],
    [{ label: 'x'.repeat(65) }, ['query.label value_error']],
  ])('%j are refused', (given, expected) => {
    expect(faults(query(given))).toEqual(expected);
  });
});

const owned = filtered.slice(2, 7);

test.each(owned)('has_owner of %s is yes or no', (operation) => {
  const query = (has_owner: string) =>
    validatorsOf(operation).query({ ...needed[operation], has_owner });
  expect(query('false')).toMatchObject({ ok: true, value: { has_owner: false } });
  expect(query('none').ok).toBe(false);
  expect((query('') as { value: object }).value).not.toHaveProperty('has_owner');
});

test('these are all operations with these filters', () => {
  const operations = operationsOf(dereference(contract.document));
  const namedBy = (parameter: string) =>
    operations
      .filter(({ operation }) => operation.parameters?.some(({ name }) => name === parameter))
      .map(({ operation }) => operation.operationId)
      .sort();
  expect(namedBy('owner')).toEqual([...filtered].sort());
  expect(namedBy('has_owner')).toEqual([...owned].sort());
});
