import fc from 'fast-check';
import { readRecord } from './read-record';
import type { OsvRecord } from './record';

const SMALLEST = { id: 'GHSA-1', modified: '2024-01-02T03:04:05Z', affected: [] };

function read(json: unknown): OsvRecord {
  const result = readRecord(json);
  if (!result.ok) throw new Error(result.problem);
  return result.record;
}

function problem(json: unknown): string {
  const result = readRecord(json);
  return result.ok ? 'none' : result.problem;
}

describe('M12: a record is read', () => {
  test('with what it leaves out as empty', () => {
    expect(read(SMALLEST)).toEqual({
      id: 'GHSA-1',
      modified: '2024-01-02T03:04:05.000Z',
      published: null,
      withdrawn: null,
      aliases: [],
      upstream: [],
      related: [],
      summary: '',
      details: '',
      severity: [],
      affected: [],
      references: [],
      database_specific: {},
    });
  });

  test('without what is not used, and without what nobody knows', () => {
    const record = read({
      ...SMALLEST,
      schema_version: '9.9.9',
      brand_new: { a: 1 },
      credits: [{ name: 'x' }],
      database_specific: { severity: 'HIGH', cvss_v3: 7.5, cwe_ids: ['CWE-1'] },
      affected: [
        {
          package: { ecosystem: 'npm', name: 'a', purl: 'pkg:npm/a', brand_new: 1 },
          ranges: [
            {
              type: 'GIT',
              repo: 'https://example.org/a',
              events: [{ introduced: '0', brand_new: 'x' }],
              database_specific: {},
            },
          ],
          versions: ['1.0.0'],
          ecosystem_specific: { urgency: 'low', imports: [] },
          database_specific: { cvss: 'x', source: 'y' },
        },
      ],
    });
    expect(record.database_specific).toEqual({ severity: 'HIGH', cvss_v3: 7.5 });
    expect(record.affected).toEqual([
      {
        package: { ecosystem: 'npm', name: 'a' },
        severity: [],
        ranges: [{ type: 'GIT', events: [{ introduced: '0' }] }],
        versions: ['1.0.0'],
        ecosystem_specific: { urgency: 'low' },
        database_specific: { cvss: 'x' },
      },
    ]);
  });

  test('with timestamps of the year 1, and with any precision or offset, as comparable text', () => {
    expect(read({ ...SMALLEST, modified: '0001-01-01T00:00:00Z' }).modified).toBe(
      '0001-01-01T00:00:00.000Z',
    );
    expect(read({ ...SMALLEST, modified: '2024-02-16T08:07:52.686694Z' }).modified).toBe(
      '2024-02-16T08:07:52.686Z',
    );
    expect(read({ ...SMALLEST, modified: '2024-02-16T08:07:52+02:00' }).modified).toBe(
      '2024-02-16T06:07:52.000Z',
    );
  });

  test('as withdrawn even when the time of it cannot be read', () => {
    expect(read({ ...SMALLEST, withdrawn: 'yesterday' }).withdrawn).toBe('yesterday');
    expect(read({ ...SMALLEST, withdrawn: null }).withdrawn).toBeNull();
  });

  test('although its affected list is absent or names a package-less repository', () => {
    expect(read({ id: 'CVE-1', modified: SMALLEST.modified }).affected).toEqual([]);
    expect(read({ ...SMALLEST, affected: [{ ranges: [] }] }).affected[0]?.package).toBeNull();
  });

  test('although a range begins nowhere, if versions are listed or it is of commits', () => {
    const range = (type: string) => ({ type, events: [{ fixed: '2' }] });
    const listed = { ranges: [range('ECOSYSTEM')], versions: ['1'] };
    const record = read({ ...SMALLEST, affected: [listed, { ranges: [range('GIT')] }] });
    expect(record.affected).toHaveLength(2);
  });

  test('with malformed severities, references and aliases dropped one by one', () => {
    const record = read({
      ...SMALLEST,
      severity: [null, { type: 'CVSS_V3' }, { type: 'Ubuntu', score: 'low' }],
      references: [
        { type: 'WEB', url: 'https://example.org' },
        { url: 'http://example.org' },
        { type: 'WEB', url: 'javascript:alert(1)' },
        'x',
      ],
      aliases: [' CVE-1 ', 7, '', ' '],
    });
    expect(record.severity).toEqual([{ type: 'Ubuntu', score: 'low' }]);
    expect(record.references.map(({ url }) => url)).toEqual([
      'https://example.org',
      'http://example.org',
    ]);
    expect(record.aliases).toEqual(['CVE-1']);
  });
});

describe('M12: a record is rejected, and says why', () => {
  const affected = (entry: unknown) => ({ ...SMALLEST, affected: [entry] });
  const range = (entry: unknown) => affected({ ranges: [entry] });

  test.each<[string, unknown, string]>([
    ['no object', [], 'the record is not an object'],
    ['without id', { ...SMALLEST, id: '' }, 'id is missing or no text'],
    ['without modified', { ...SMALLEST, modified: null }, 'modified is missing or no timestamp'],
    [
      'with an unreadable modified',
      { ...SMALLEST, modified: 'now' },
      'modified is missing or no timestamp',
    ],
    ['with another affected', { ...SMALLEST, affected: {} }, 'affected is not a list'],
    ['with another entry', affected('x'), 'affected[0] is not an object'],
    [
      'with a nameless package',
      affected({ package: { ecosystem: 'npm' } }),
      'affected[0].package.name is missing or no text',
    ],
    ['with another versions', affected({ versions: '1.0' }), 'affected[0].versions is not a list'],
    [
      'with a version as a number',
      affected({ versions: ['1', 2] }),
      'affected[0].versions[1] is missing or no text',
    ],
    ['with another ranges', affected({ ranges: {} }), 'affected[0].ranges is not a list'],
    [
      'with a typeless range',
      range({ events: [] }),
      'affected[0].ranges[0].type is missing or no text',
    ],
    [
      'with another events',
      range({ type: 'GIT', events: 1 }),
      'affected[0].ranges[0].events is not a list',
    ],
    [
      'with an event as a number',
      range({ type: 'GIT', events: [{ fixed: 1 }] }),
      'affected[0].ranges[0].events[0].fixed is missing or no text',
    ],
    [
      'with a range that begins nowhere, which would call every version clean',
      range({ type: 'SEMVER', events: [{ introduced: '' }, { fixed: '2.0.0' }] }),
      'affected[0].ranges[0] has no introduced version',
    ],
  ])('%s', (_what, json, expected) => {
    expect(problem(json)).toBe(expected);
  });
});

describe('a record with anything at all in one place', () => {
  const places = [
    'id',
    'modified',
    'withdrawn',
    'aliases',
    'severity',
    'references',
    'database_specific',
    'affected',
    'affected.0',
    'affected.0.package',
    'affected.0.versions',
    'affected.0.ranges',
    'affected.0.ranges.0',
    'affected.0.ranges.0.events',
    'affected.0.ranges.0.events.0',
  ];

  test('is read or rejected without an error, and what was read can be read again', () => {
    fc.assert(
      fc.property(fc.constantFrom(...places), fc.jsonValue({ maxDepth: 3 }), (place, value) => {
        const json = { ...SMALLEST, affected: [{ ranges: [{ type: 'GIT', events: [{}] }] }] };
        const path = place.split('.');
        const last = path.pop() ?? '';
        const parent = path.reduce((at, key) => Reflect.get(at, key) as object, json as object);
        Reflect.set(parent, last, value);
        const result = readRecord(json);
        if (result.ok) expect(read(structuredClone(result.record))).toEqual(result.record);
      }),
      { numRuns: 1000 },
    );
  });
});
