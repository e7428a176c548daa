import { previewOf, ruleFilterOf } from './rule-filter';

const project_id = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11';

test('the filter of a view becomes that of a rule, and its preview is what nothing has decided', () => {
  const search = {
    project_id,
    service_id: project_id,
    severity: 'low,high',
    package_name: 'jest*',
    is_direct: 'false',
    owner: 'Checkout',
    label: 'pci, web',
    sort: 'epss_score',
    status: 'fixed',
    decision: 'in_triage',
    finding: project_id,
  } as const;
  expect(ruleFilterOf(search)).toEqual({
    filter: {
      service_ids: [project_id],
      severity: expect.arrayContaining(['low', 'high']) as string[],
      package_name: 'jest*',
      is_direct: false,
      owner: 'Checkout',
      label: ['pci', 'web'],
    },
    left: [],
  });
  expect(previewOf(search)).toEqual({
    project_id,
    service_id: project_id,
    severity: 'low,high',
    package_name: 'jest*',
    is_direct: 'false',
    owner: 'Checkout',
    label: 'pci, web',
    decision: 'none',
  });
});

test.each([
  ['q', 'log'],
  ['kev', 'true'],
  ['min_epss', '0.1'],
  ['overdue', 'true'],
  ['detected_since', '2026-06-01'],
])('a rule cannot have the filter %s', (name, value) => {
  const search = { project_id, ecosystem: 'npm', [name]: value } as const;
  expect(ruleFilterOf(search)).toEqual({ filter: { ecosystem: 'npm' }, left: [name] });
  expect(previewOf(search)).toEqual({ project_id, ecosystem: 'npm', decision: 'none' });
});

test('without filters a rule is about everything', () => {
  expect(ruleFilterOf({ project_id })).toEqual({ filter: {}, left: [] });
});
