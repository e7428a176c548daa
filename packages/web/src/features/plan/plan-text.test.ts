import { planAsMarkdown, stepsOf } from './plan-text';

const upgrade = (from: string[], to: string | null) => ({
  release: null,
  source_package: null,
  from,
  to,
  is_major: false,
  reason: to === null ? ('no_fixed_version' as const) : null,
  refused: [],
});
const counts = { critical: 0, high: 2, medium: 0, low: 0, none: 0, unknown: 0 };
const line = (package_name: string, upgrades: ReturnType<typeof upgrade>[]) => ({
  package_name,
  upgrades,
  closes: { total: 2, counts, kev: 0, max_epss: null, risk: 10, ids: ['CVE-2026-1', 'CVE-2026-2'] },
  service_count: 1,
  services: [
    {
      project_id: 'p',
      project_name: 'Shop',
      service_id: 's',
      service_name: 'check<out>',
      sbom_id: 'b',
      versions: [],
      purl: 'pkg:npm/left_pad',
      is_direct: true,
      closes: 2,
      remains: 0,
    },
  ],
});

test('the steps of a package are those that are known', () => {
  const upgrades = [
    upgrade(['1.0', '1.1'], '1.2'),
    upgrade(['2.0'], null),
    upgrade(['3.0'], '3.1'),
  ];
  expect(stepsOf({ upgrades })).toBe('1.0, 1.1 → 1.2; 3.0 → 3.1');
});

test('a line with more services than are listed says how many', () => {
  const plan = planAsMarkdown([{ ...line('x', [upgrade(['1.0'], '1.2')]), service_count: 61 }]);
  expect(plan).toMatch(/ in check\\<out\\>, 60 more services\n$/);
});

test('a plan is a list of tasks, without what has no upgrade, and no name is markup', () => {
  const plan = planAsMarkdown([
    line('left_pad', [upgrade(['1.0'], '1.2')]),
    line('lost', [upgrade(['1.0'], null)]),
  ]);
  expect(plan).toBe(
    '- [ ] **left\\_pad** 1.0 → 1.2: closes 2 (CVE-2026-1, CVE-2026-2) in check\\<out\\>\n',
  );
});
