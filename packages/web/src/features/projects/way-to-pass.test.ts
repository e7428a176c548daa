import { wayToPass } from './way-to-pass';

const sum = (ids: string[]) => ({
  total: ids.length,
  counts: { critical: 0, high: ids.length, medium: 0, low: 0, none: 0, unknown: 0 },
  kev: 0,
  max_epss: null,
  risk: 1,
  ids,
});
const step = (to: string | null, reason: 'prerelease_only' | 'malicious' | null = null) => ({
  release: null,
  source_package: null,
  from: ['1.0'],
  to,
  is_major: false,
  reason,
  refused: [],
});
const line = (package_name: string, closes: string[], of: object = {}) => ({
  package_name,
  purls: [`pkg:npm/${package_name}`],
  upgrades: [step('1.1')],
  closes: sum(closes),
  major_step: null,
  ...of,
});
const failing = (cve_id: string, package_name: string, type = 'npm') => ({
  cve_id,
  package_name,
  purl: `pkg:${type}/${package_name}@1.0`,
});

test('of the plan are needed the lines that close what fails, in its order', () => {
  const plan = [line('a', ['CVE-1', 'CVE-9']), line('b', ['CVE-8']), line('c', ['CVE-2', 'CVE-3'])];
  const given = [failing('CVE-2', 'c'), failing('CVE-3', 'c'), failing('CVE-1', 'a')];
  const { needed, stuck } = wayToPass(given, plan);
  expect(needed.map(({ line: one, closes }) => [one.package_name, closes.length])).toEqual([
    ['a', 1],
    ['c', 2],
  ]);
  expect(stuck).toEqual([]);
});

test('one vulnerability in two packages needs both, and another ecosystem’s package is another one', () => {
  const plan = [
    line('a', ['CVE-1']),
    line('b', ['CVE-1']),
    line('a', ['CVE-1'], { purls: ['pkg:pypi/a'] }),
  ];
  const given = [failing('CVE-1', 'a'), failing('CVE-1', 'b')];
  const { needed } = wayToPass(given, plan);
  expect(needed.map(({ line: { purls } }) => purls[0])).toEqual(['pkg:npm/a', 'pkg:npm/b']);
});

test('what no line closes keeps the gate failing, and says why', () => {
  const plan = [
    line('beta', [], { upgrades: [step(null, 'prerelease_only')] }),
    line('partly', ['CVE-1'], {
      upgrades: [step('1.1'), step(null, 'malicious')],
      major_step: { upgrades: [], closes: sum(['CVE-3']) },
    }),
  ];
  const given = [
    failing('CVE-5', 'beta'),
    failing('CVE-2', 'partly'),
    failing('CVE-3', 'partly'),
    failing('CVE-4', 'elsewhere'),
  ];
  const { needed, stuck } = wayToPass(given, plan);
  expect(needed).toEqual([]);
  expect(stuck.map(({ finding, why }) => [finding.cve_id, why])).toEqual([
    ['CVE-5', 'prerelease_only'],
    ['CVE-2', 'malicious'],
    ['CVE-3', 'higher_step'],
    ['CVE-4', 'none'],
  ]);
});
