import {
  listActive,
  summariseActive,
  vulnerabilitySorts,
  type VulnerabilityDetails,
  type VulnerabilityView,
} from '@bomtrail/messages';
import { finding } from '../testing/findings';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;
let shop: TestService;
let other: TestService;
let foreign: TestService;

type Reported = Partial<VulnerabilityDetails>;
const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;

/** Package, what receives it. By package name a to h; the first letter names a vulnerability below. */
const vulnerabilities: [string, Reported][] = [
  ['a@1 CVE-2026-0005', { severity: 'critical', cvss_score: 9.8, published_at: at(3) }],
  ['B@1 CVE-2026-0004', { severity: 'critical', cvss_score: null, published_at: at(1) }],
  ['c@1 CVE-2026-0003', { severity: 'high', cvss_score: 7, published_at: null }],
  ['D@1 CVE-2026-0002', { severity: 'high', cvss_score: null, published_at: at(2) }],
  ['e@1 CVE-2026-0001', { severity: 'medium', cvss_score: 4.1, published_at: at(3) }],
  ['f@1 GHSA-ffff Pysec-9', { severity: 'low', cvss_score: null, cve_id: 'GHSA-ffff' }],
  ['g@1 GHSA-gggg', { severity: 'none', cvss_score: 0, published_at: at(4) }],
  ['H@1 GHSA-hhhh', { severity: 'unknown', cvss_score: null, published_at: at(5) }],
];

beforeAll(async () => {
  harness = await startReconciler();
  shop = new TestService(harness);
  other = new TestService(harness, shop.project_id);
  foreign = new TestService(harness);
  const found = vulnerabilities.map(([text, reported]) => finding(text, reported));
  await shop.scanned(harness.newSet(...found.slice(0, 6)));
  await shop.scanned(harness.newSet(...found));
  await other.scanned(harness.newSet('a@2 CVE-2026-0005', 'z@1 CVE-1'));
  await foreign.scanned(harness.newSet(...found));
});
afterAll(() => harness?.stop());

type Query = Partial<Parameters<typeof send>[0]>;
const send = (query: {
  page: number;
  per_page: number;
  sort: (typeof vulnerabilitySorts)[number];
  order: 'asc' | 'desc';
  project_id?: string;
  service_id?: string;
  severity?: VulnerabilityView['severity'][];
  cve_id?: string;
}) => harness.bus.request(listActive, query);

async function list(query: Query = {}): Promise<VulnerabilityView[]> {
  const service_id = shop.service_id;
  const usual = { page: 1, per_page: 200, sort: 'package_name', order: 'asc' } as const;
  const { body } = await send({ ...usual, service_id, ...query });
  if (!query.per_page) expect(body.total).toBe(body.items.length);
  return body.items;
}

async function names(query: Query = {}): Promise<string> {
  return (await list(query)).map(({ package_name }) => package_name.toLowerCase()).join('');
}

describe('the active list in the order of', () => {
  test.each<[Query['sort'], string, string]>([
    // Without a score the lower bound of the band counts: B 9.0, D 7.0 (as c), f 0.1.
    ['cvss_score', 'a b cd e f g h', 'g f e cd b a h'],
    ['severity', 'ab cd e f g h', 'g f e cd ab h'],
    ['cve_id', 'h g f a b c d e', 'e d c b a f g h'],
    ['package_name', 'h g f e d c b a', 'a b c d e f g h'],
    ['first_seen_at', 'gh abcdef', 'abcdef gh'],
    // Not published: c and f.
    ['published_at', 'h g ae d b cf', 'b d ae g h cf'],
    // Known of no vulnerability yet.
    ['epss_score', 'abcdefgh', 'abcdefgh'],
  ])(
    '%s puts missing values last: descending %s, ascending %s, where ties are one word',
    async (sort, ...expected) => {
      const byOrder = [await names({ sort, order: 'desc' }), await names({ sort, order: 'asc' })];
      const wordsOf = (index: number): string[] => expected[index]?.split(' ') ?? [];
      const found = byOrder.map((list, index) => {
        let from = 0;
        return wordsOf(index).map((word) => {
          const tied = list.slice(from, (from += word.length));
          return [...tied].sort().join('');
        });
      });
      expect(found).toEqual([wordsOf(0), wordsOf(1)]);
    },
  );

  test('any field has pages that together are the whole, none twice', async () => {
    for (const sort of vulnerabilitySorts) {
      for (const order of ['asc', 'desc'] as const) {
        const whole = await names({ sort, order });
        for (const per_page of [1, 3, 7]) {
          let pages = '';
          for (let page = 1; page <= 9; page++)
            pages += await names({ sort, order, per_page, page });
          expect([sort, order, pages]).toEqual([sort, order, whole]);
        }
      }
    }
  });
});

describe('the active list of', () => {
  test('a project contains its services, and everything contains all projects', async () => {
    const { project_id } = shop;
    expect(await names({ service_id: undefined, project_id })).toBe('aabcdefghz');
    expect(await names({ service_id: other.service_id, project_id })).toBe('az');
    expect(await names({ service_id: other.service_id, project_id: foreign.project_id })).toBe('');
    expect(await list({ service_id: undefined })).toHaveLength(18);
  });

  test('chosen severities contains only those', async () => {
    expect(await names({ severity: ['critical', 'none'] })).toBe('abg');
    expect(await names({ severity: ['unknown'] })).toBe('h');
    expect(await names({ severity: [] })).toBe('abcdefgh');
  });

  test('one id contains what has it among its aliases, in any case, and nothing that only looks like it', async () => {
    expect(await names({ cve_id: 'cve-2026-0003' })).toBe('c');
    expect(await names({ cve_id: 'PYSEC-9' })).toBe('f');
    expect(await names({ cve_id: 'ghsa-FFFF' })).toBe('f');
    expect(await names({ cve_id: 'CVE-2026-000' })).toBe('');
    expect(await names({ cve_id: '.*' })).toBe('');
    const { project_id } = shop;
    expect(await names({ service_id: undefined, project_id, cve_id: 'CVE-2026-0005' })).toBe('aa');
    expect(await names({ cve_id: 'CVE-2026-0005', severity: ['high'] })).toBe('');
  });

  test('an id that a corrected advisory no longer names is empty', async () => {
    const service = new TestService(harness);
    const digest = harness.newSet('a@1 GHSA-1 CVE-2026-9999');
    const scan = await service.scanned(digest);
    const query = { service_id: service.service_id, cve_id: 'CVE-2026-9999' };
    expect(await names(query)).toBe('a');
    harness.setScan(digest, 'a@1 GHSA-1');
    await harness.finish({ ...scan, lane: 'rescan', revision: 2 });
    expect(await names(query)).toBe('');
    expect(await names({ ...query, cve_id: 'GHSA-1' })).toBe('a');
    await service.remove(scan);
  });

  test('a page past the end is empty and still knows the total', async () => {
    const usual = { sort: 'cvss_score', order: 'desc', service_id: shop.service_id } as const;
    const { body } = await send({ ...usual, page: 5, per_page: 2 });
    expect(body).toEqual({ items: [], total: 8 });
  });
});

test('the summary counts exactly the vulnerabilities that the list shows, in each scope', async () => {
  const { project_id } = shop;
  for (const scope of [
    {},
    { project_id },
    { service_id: shop.service_id },
    { project_id: foreign.project_id, service_id: foreign.service_id },
    { project_id: foreign.project_id, service_id: shop.service_id },
  ]) {
    const { body: summary } = await harness.bus.request(summariseActive, scope);
    const items = await list({ service_id: undefined, ...scope });
    const { total, ...bySeverity } = summary;
    expect(total).toBe(items.length);
    for (const [severity, count] of Object.entries(bySeverity))
      expect([severity, count]).toEqual([
        severity,
        items.filter((item) => item.severity === severity).length,
      ]);
  }
});

test('a vulnerability of several versions is found by the severity of the worst', async () => {
  const service = new TestService(harness);
  const { service_id } = service;
  const [mild, grave] = [
    { severity: 'low', cvss_score: 3.1 },
    { severity: 'critical', cvss_score: 9.8 },
  ] as const;
  await service.scanned(
    harness.newSet(finding('lib@1 CVE-2026-7', mild), finding('lib@2 CVE-2026-7', grave)),
  );
  expect(await list({ service_id, severity: ['critical'] })).toMatchObject([
    { package_version: '1', package_versions: ['1', '2'], ...grave },
  ]);
  const { body: summary } = await harness.bus.request(summariseActive, { service_id });
  expect(summary).toMatchObject({ critical: 1, low: 0, total: 1 });
});
