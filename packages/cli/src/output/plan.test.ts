import type { Remediation, RemediationPage } from '@bomtrail/api-client';
import { planCsv, planLine, planMarkdown, planTable } from './plan';

const counts = { critical: 0, high: 0, medium: 0, low: 0, none: 0, unknown: 0 };
const nothing = { total: 0, counts, kev: 0, max_epss: null, risk: 0, ids: [] };
const upgrade = { release: null, source_package: null, is_major: false, reason: null, refused: [] };

const lodash: Remediation = {
  package_name: 'lodash',
  ecosystem: 'npm',
  purls: ['pkg:npm/lodash'],
  is_direct: false,
  upgrades: [{ ...upgrade, from: ['4.17.10', '4.17.15'], to: '4.17.21' }],
  closes: {
    ...nothing,
    total: 3,
    counts: { ...counts, high: 2, low: 1 },
    kev: 1,
    risk: 84.1,
    ids: ['CVE-1'],
  },
  remains: { ...nothing, total: 1, ids: ['CVE-2'] },
  major_step: {
    upgrades: [{ release: null, source_package: null, from: ['4.17.10'], to: '5.0.0' }],
    closes: { ...nothing, total: 1, ids: ['CVE-2'] },
  },
  services: [],
  service_count: 2,
  direct_dependencies: [{ name: 'a', version: '1.0.0', purl: 'pkg:npm/a@1.0.0' }],
};
const evil: Remediation = {
  ...lodash,
  package_name: '=evil',
  upgrades: [{ ...upgrade, from: ['1.0.0'], to: null, reason: 'malicious' }],
  closes: nothing,
  major_step: null,
  direct_dependencies: null,
};
const page: RemediationPage = {
  items: [lodash, evil],
  total: 5,
  page: 1,
  per_page: 2,
  total_pages: 3,
  has_more: true,
  complete: true,
  closes: lodash.closes,
  remains: nothing,
  advisory_data: 'feed',
};

test('a table says from where to where, and why there is no upgrade', () => {
  const text = planTable(page.items);
  expect(text).toContain('4.17.10, 4.17.15 → 4.17.21');
  expect(text).toContain('3 (2 high)');
  expect(text).toContain('5.0.0: 1');
  expect(text).toContain('a@1.0.0');
  expect(text).toContain('1.0.0: malicious: remove it');
});

test('CSV has one line for each upgrade, and no formulas', () => {
  const [head, first, second] = planCsv(page.items).split('\r\n');
  expect(head?.split(',')).toHaveLength(first?.split(',').length ?? 0);
  expect(first).toBe(
    'lodash,npm,,,4.17.10 4.17.15,4.17.21,false,,3,84.1,1,,CVE-1,1,CVE-2,4.17.10 > 5.0.0,1,2,false,a@1.0.0',
  );
  expect(second).toMatch(/^'=evil,npm,,,1\.0\.0,,false,malicious,0,/);
});

test('Markdown has names in code spans', () => {
  expect(planMarkdown('shop', page)).toContain('| `lodash` | `4.17.10, 4.17.15');
});

test('the last line says how much is shown, and what the upgrades close', () => {
  const text = 'PLANNED shop: 5 packages, 2 shown; upgrades close 3 (2 high), leave 0';
  expect(planLine('shop', { ...page, complete: false }, null)).toBe(
    `${text}; incomplete, too many vulnerabilities (advisories: feed)`,
  );
  expect(planLine('shop', page, 'the newest SBOM of web is not scanned')).toBe(
    `${text}, but the newest SBOM of web is not scanned (advisories: feed)`,
  );
});
