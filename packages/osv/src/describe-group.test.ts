import fc from 'fast-check';
import { cveRecordId } from './cve-record';
import { describeGroup } from './describe-group';
import { compareIds } from './ids';
import { readRecord } from './read-record';
import type { OsvRecord } from './record';

const HIGH = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N';
const LOW = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N';

function record(id: string, fields: object = {}): OsvRecord {
  const read = readRecord({ id, modified: '2024-01-01T00:00:00Z', ...fields });
  if (!read.ok) throw new Error(read.problem);
  return read.record;
}

function describeRecords(matching: OsvRecord[], others: OsvRecord[] = []) {
  return describeGroup({
    matching: matching.map((entry) => ({ record: entry, affected: [0] })),
    others,
  });
}

describe('the id that a group is shown by', () => {
  test('is its CVE, else a GHSA, else the smallest id', () => {
    const aliases = ['GHSA-2', 'CVE-2024-2', 'PYSEC-1'];
    expect(describeRecords([record('GO-1', { aliases })]).cve_id).toBe('CVE-2024-2');
    expect(describeRecords([record('GO-1', { aliases: ['GHSA-2', 'GHSA-1'] })]).cve_id).toBe(
      'GHSA-1',
    );
    expect(describeRecords([record('RUSTSEC-1', { aliases: ['GO-1'] })]).cve_id).toBe('GO-1');
  });

  test('of several CVEs is the matching advisory’s own, then the smallest as text', () => {
    const matching = record('GHSA-1', { aliases: ['CVE-2024-9', 'CVE-2024-8'] });
    const other = record('GHSA-2', { aliases: ['CVE-2024-9', 'CVE-2023-1'] });
    expect(describeRecords([matching], [other]).cve_id).toBe('CVE-2024-8');
    expect(describeRecords([record('GHSA-3')], [matching, other]).cve_id).toBe('CVE-2023-1');
  });
});

test('the CVEs upstream of a matching notice are named beside its ids, but are none of them', () => {
  const upstream = ['CVE-2024-2', 'CVE-2024-1', 'GHSA-1'];
  const notice = record('RHSA-1', { upstream });
  const other = record('RHSA-2', { aliases: ['RHSA-1'], upstream: ['CVE-2024-3'] });
  expect(describeRecords([notice], [other])).toMatchObject({
    cve_id: 'RHSA-1',
    aliases: ['RHSA-1', 'RHSA-2'],
    upstream: ['CVE-2024-1', 'CVE-2024-2'],
  });
  const named = record('RHSA-3', { aliases: ['CVE-2024-1'], upstream: ['CVE-2024-1'] });
  expect(describeRecords([named], [])).not.toHaveProperty('upstream');
});

test('notices of AlmaLinux name the CVEs that they fix as related, others something else', () => {
  const related = ['CVE-2024-2', 'CVE-2024-1'];
  const [alma, other] = ['ALSA-2024:1', 'GHSA-1'].map((id) => record(id, { related }));
  expect(describeRecords([alma as OsvRecord], [])).toMatchObject({
    upstream: ['CVE-2024-1', 'CVE-2024-2'],
  });
  expect(describeRecords([other as OsvRecord], [])).not.toHaveProperty('upstream');
});

describe('the ids of a group', () => {
  const details = describeRecords(
    [record('GO-1', { aliases: ['CVE-1'] }), record('GHSA-1', { aliases: ['CVE-1'] })],
    [record('CVE-1', { withdrawn: '2024-01-01T00:00:00Z', aliases: ['DSA-1'] })],
  );

  test('are all of them, CVE before GHSA before others, also a withdrawn record’s', () => {
    expect(details.aliases).toEqual(['CVE-1', 'GHSA-1', 'DSA-1', 'GO-1']);
  });

  test('among which the matching advisories are named apart', () => {
    expect(details.advisory_ids).toEqual(['GHSA-1', 'GO-1']);
  });
});

describe('the texts of a group', () => {
  const go = record('GO-1', { summary: 'Go says', details: 'long Go' });
  const ghsa = record('GHSA-1', { summary: ' GHSA says ', details: 'long GHSA' });

  test('come from the matching advisories in the order of ids, then from the others', () => {
    expect(describeRecords([go, ghsa])).toMatchObject({
      title: 'GHSA says',
      description: 'long GHSA',
    });
    expect(describeRecords([go], [ghsa])).toMatchObject({
      title: 'Go says',
      description: 'long Go',
    });
    expect(describeRecords([record('GO-2')], [ghsa])).toMatchObject({ title: 'GHSA says' });
  });

  test('have a title even where no source gives one', () => {
    expect(describeRecords([record('PYSEC-1', { details: '## First line\n\nmore' })]).title).toBe(
      'First line',
    );
    expect(describeRecords([record('PYSEC-1')]).title).toBe('PYSEC-1');
    const title = describeRecords([record('PYSEC-1', { details: '😀'.repeat(300) })]).title;
    expect([...title]).toHaveLength(120);
    expect(title.endsWith('😀…')).toBe(true);
  });

  test('do not come from a withdrawn advisory', () => {
    const withdrawn = record('ZZ-1', { ...ghsa, id: 'ZZ-1', withdrawn: '2024-01-01T00:00:00Z' });
    expect(describeRecords([record('GO-2')], [withdrawn])).toMatchObject({
      title: 'GO-2',
      description: '',
    });
  });
});

test('a group is dated by its first publication and its last change, the year 1 being no date', () => {
  const dated = (id: string, published: string, modified: string) =>
    record(id, { published, modified });
  const a = dated('A', '2020-01-02T00:00:00Z', '2021-01-01T00:00:00Z');
  const b = dated('B', '2020-01-01T00:00:00Z', '2022-01-01T00:00:00Z');
  const year1 = dated('C', '0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z');
  expect(describeRecords([a, b, year1])).toMatchObject({
    published_at: '2020-01-01T00:00:00.000Z',
    modified_at: '2022-01-01T00:00:00.000Z',
  });
  expect(describeRecords([year1], [a])).toMatchObject({
    published_at: '2020-01-02T00:00:00.000Z',
    modified_at: '2021-01-01T00:00:00.000Z',
  });
  expect(describeRecords([year1])).toMatchObject({ published_at: null, modified_at: null });
});

test('references are named once, those of the matching advisories first', () => {
  const link = (type: string, url: string) => ({ type, url });
  const matching = record('B', {
    references: [link('FIX', 'https://x/1'), link('WEB', 'https://x/2')],
  });
  const other = record('A', {
    references: [link('WEB', 'https://x/1'), link('WEB', 'https://x/3')],
  });
  expect(describeRecords([matching], [other]).references).toEqual([
    link('FIX', 'https://x/1'),
    link('WEB', 'https://x/2'),
    link('WEB', 'https://x/3'),
  ]);
});

describe('severity', () => {
  test('is the one of the entries that matched, not of the record’s other entries', () => {
    const affected = [LOW, HIGH].map((score) => ({ severity: [{ type: 'CVSS_V3', score }] }));
    const both = record('GHSA-1', { affected });
    const first = describeGroup({ matching: [{ record: both, affected: [0] }], others: [] });
    const second = describeGroup({ matching: [{ record: both, affected: [1] }], others: [] });
    expect([first.cvss_score, second.cvss_score]).toEqual([3.1, 7.5]);
    expect([first.severity, second.severity]).toEqual(['low', 'high']);
  });

  test('M20: of a malicious package is critical, with the score that there is', () => {
    const scored = { severity: [{ type: 'CVSS_V3', score: LOW }], aliases: ['MAL-2024-1'] };
    expect(describeRecords([record('GHSA-1', scored)])).toMatchObject({
      severity: 'critical',
      cvss_score: 3.1,
    });
    expect(describeRecords([record('MAL-2024-1')])).toMatchObject({
      severity: 'critical',
      cvss_score: null,
      cvss_vector: null,
    });
  });
});

describe('M49: a CVE record', () => {
  const cveRecord = record(cveRecordId('CVE-2024-1'), {
    aliases: ['CVE-2024-1'],
    modified: '2030-01-01T00:00:00Z',
    summary: 'no title',
    severity: [{ type: 'CVSS', score: HIGH }],
    references: [{ type: 'WEB', url: 'https://x/1' }],
  });
  const silent = record('GO-1', { aliases: ['CVE-2024-1'] });
  const unrated = { severity: 'unknown', cvss_score: null, severity_source: null };

  test('gives the severity that no advisory of the group has, and nothing else', () => {
    const rating = { severity: 'high', cvss_score: 7.5, cvss_vector: HIGH };
    expect(describeRecords([silent])).toMatchObject(unrated);
    expect(describeRecords([silent], [cveRecord])).toEqual({
      ...describeRecords([silent]),
      ...rating,
      severity_source: 'CVE record',
    });
  });

  test('gives none where an advisory of the group has one, whatever its ecosystem', () => {
    const severity = [{ type: 'CVSS_V3', score: LOW }];
    const other = record('GHSA-1', { aliases: ['CVE-2024-1'], severity });
    const details = describeRecords([silent], [other]);
    expect(details).toMatchObject({ severity: 'low', severity_source: 'GHSA-1' });
    expect(describeRecords([silent], [other, cveRecord])).toEqual(details);
    const malicious = record('MAL-1', { aliases: ['CVE-2024-1'] });
    expect(describeRecords([malicious], [cveRecord])).toMatchObject({
      severity: 'critical',
      severity_source: 'MAL-1',
    });
  });

  test('rates the group of a withdrawn advisory, whose own severity does not count', () => {
    const withdrawn = record('GHSA-1', {
      aliases: ['CVE-2024-1'],
      withdrawn: '2024-01-01T00:00:00Z',
      severity: [{ type: 'CVSS_V3', score: LOW }],
    });
    expect(describeRecords([silent], [withdrawn])).toMatchObject(unrated);
    expect(describeRecords([silent], [withdrawn, cveRecord])).toMatchObject({
      severity: 'high',
      severity_source: 'CVE record',
    });
  });
});

test('the order in which advisories are given does not matter', () => {
  const ids = ['GO-1', 'GHSA-1', 'CVE-1', 'CVE-2', 'RUSTSEC-1', 'MAL-1'];
  const anyRecord = (id: string) =>
    fc
      .record({
        summary: fc.constantFrom('', 'x', 'y'),
        aliases: fc.subarray(ids),
        severity: fc.subarray([LOW, HIGH].map((score) => ({ type: 'CVSS_V3', score }))),
        references: fc.subarray(
          ['https://x/1', 'https://x/2'].map((url) => ({ type: 'WEB', url })),
        ),
      })
      .map((fields) => record(id, fields));
  const group = fc
    .tuple(...ids.map(anyRecord))
    .chain((all) => fc.tuple(fc.constant(all), fc.integer({ min: 1, max: all.length })));
  fc.assert(
    fc.property(group, ([all, count]) => {
      const [matching, others] = [all.slice(0, count), all.slice(count)];
      const reversed = describeRecords(matching.toReversed(), others.toReversed());
      expect(reversed).toEqual(describeRecords(matching, others));
    }),
  );
});

test('ids are ordered as people want to read them', () => {
  const ids = ['PYSEC-1', 'GHSA-b', 'cve-2', 'CVE-1', 'DSA-1', 'GHSA-a'];
  expect(ids.toSorted(compareIds)).toEqual([
    'CVE-1',
    'cve-2',
    'GHSA-a',
    'GHSA-b',
    'DSA-1',
    'PYSEC-1',
  ]);
});
