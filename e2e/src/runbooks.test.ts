import { alertRules, expressions, fileOf } from './support/observability/deployed';
import { promqlParts } from './support/observability/promql';

const runbooks = fileOf('docs', 'operations', 'runbooks.md');
const sections = [...runbooks.matchAll(/^## (\w+)$/gm)].map(([, name]) => name);

test('each alert has its section in the runbooks, and each section its alert', () => {
  const rules = alertRules();
  expect(rules.length).toBeGreaterThan(10);
  expect(sections.sort()).toEqual(rules.map(({ alert }) => alert).sort());
  for (const { alert, annotations, labels } of rules) {
    expect(annotations.runbook_url).toBe(`docs/operations/runbooks.md#${alert.toLowerCase()}`);
    expect(annotations.summary).toMatch(/\.$/);
    expect(['critical', 'warning']).toContain(labels.severity);
  }
});

test('each section says where to look and what to do', () => {
  const texts = runbooks.split(/^## /m).slice(1);
  for (const text of texts) {
    expect(text).toMatch(/\*\*Look first( and do)?\.\*\*/);
    expect(text).toMatch(/\*\*Do\.\*\*|\*\*Look first and do\.\*\*/);
  }
});

test.each([
  ['BomtrailRequestsFail', 'operation'],
  ['BomtrailGrpcUploadsFail', 'method'],
])('%s compares the calls of each %s: frequent ones do not hide others', (alert, label) => {
  const expression = alertRules().find((rule) => rule.alert === alert)?.expr ?? '';
  const groupings = [...expression.matchAll(/\bsum( by \(\w+\))?/g)].map(([, by]) => by);
  expect(new Set(groupings)).toEqual(new Set([` by (${label})`]));
  // Of 5 minutes, and of an hour for failures that are rarer than that.
  expect([...expression.matchAll(/\) \/ sum .+?\[(\w+)\]/g)].map(([, of]) => of)).toEqual([
    '5m',
    '1h',
  ]);
});

test('a queue that stands still, and a sweep that ends no run, have an alert', () => {
  const expressionOf = (alert: string): string =>
    alertRules().find((rule) => rule.alert === alert)?.expr ?? '';
  expect(expressionOf('BomtrailQueueGrows')).toContain('offset 1h');
  expect(expressionOf('BomtrailSweepStopped')).toContain('result="done"}[2d])) == 0');
});

test('metrics that other programs have, too, are those of the services alone', () => {
  const shared = expressions().filter(({ expression }) =>
    [...promqlParts(expression).metrics].some((name) => /^(process|nodejs)_/.test(name)),
  );
  expect(shared).toHaveLength(5);
  for (const { source, expression } of shared)
    expect([source, expression]).toEqual([
      source,
      expect.stringContaining(' and on (job, instance) bomtrail_dependency_up)'),
    ]);
});

test('expressions are read as Prometheus reads them', () => {
  const parts = promqlParts('sum by (a) (rate(some_total{b="1", c=~"x"}[5m])) / on (d) other > 2');
  expect([...parts.metrics]).toEqual(['some_total', 'other']);
  expect([...parts.labels].sort()).toEqual(['a', 'b', 'c', 'd']);
  expect(() => promqlParts('sum(rate(some_total[5m])')).toThrow('No PromQL');
  for (const { expression } of expressions()) promqlParts(expression);
});
