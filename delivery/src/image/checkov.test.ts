import { readExceptions, unexcused, type Exception } from './checkov';

const failed = [
  { check_id: 'CKV_1', check_name: 'It should', resource: 'Pod.a.test' },
  { check_id: 'CKV_1', check_name: 'It should', resource: 'Pod.a.tests' },
];

test('an exception excuses the check it names, for the whole names it matches', () => {
  const exceptions = [
    { check: 'CKV_1', resources: 'Pod\\..*\\.test', reason: 'so' },
    { check: 'CKV_2', resources: '.*', reason: 'so' },
  ];
  const used = new Set<Exception>();
  expect(unexcused(failed, exceptions, used)).toEqual(['CKV_1 Pod.a.tests: It should']);
  expect([...used]).toEqual([exceptions[0]]);
});

test('each exception says why', () => {
  for (const exception of Object.values(readExceptions()).flat()) {
    expect(exception.reason.length).toBeGreaterThan(30);
    expect(exception.check).toMatch(/^CKV/);
  }
});
