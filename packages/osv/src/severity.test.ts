import fc from 'fast-check';
import { readRecord } from './read-record';
import type { OsvRecord } from './record';
import { rate } from './severity';
import type { RatedAdvisory } from './severity';

const V2_10 = 'AV:N/AC:L/Au:N/C:C/I:C/A:C';
const V30_98 = 'CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
const V31_75 = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N';
const V31_31 = 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N';
const V40_73 = 'CVSS:4.0/AV:L/AC:L/AT:P/PR:L/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N';

function cvss(...vectors: string[]): { type: string; score: string }[] {
  return vectors.map((score) => ({ type: `CVSS_V${score[5] ?? '2'}`, score }));
}

/** An advisory with these fields, and one entry that concerns the package. */
function advisory(fields: object, entry: object = {}): RatedAdvisory {
  const read = readRecord({
    id: 'TEST-1',
    modified: '2024-01-01T00:00:00Z',
    affected: [entry],
    ...fields,
  });
  if (!read.ok) throw new Error(read.problem);
  const record: OsvRecord = read.record;
  return { record, entries: record.affected };
}

function rating(matching: RatedAdvisory[], others: RatedAdvisory[] = []): unknown[] {
  const { severity, score, vector } = rate(matching, others);
  return [severity, score, vector];
}

describe('M18: the severity of a group', () => {
  test('is its CVSS base score’s band', () => {
    expect(rating([advisory({ severity: cvss(V31_75) })])).toEqual(['high', 7.5, V31_75]);
  });

  test('comes from the highest CVSS version, then from the highest score', () => {
    const severity = cvss(V2_10, V30_98, V31_31, V31_75);
    expect(rating([advisory({ severity })])).toEqual(['high', 7.5, V31_75]);
    expect(rating([advisory({ severity }), advisory({ severity: cvss(V40_73) })])).toEqual([
      'high',
      7.3,
      V40_73,
    ]);
    expect(rating([advisory({ severity: cvss(V2_10) })])).toEqual(['critical', 10, V2_10]);
  });

  test('comes from the affected entry’s own vector before the record’s', () => {
    const own = advisory({ severity: cvss(V40_73) }, { severity: cvss(V31_31) });
    expect(rating([own])).toEqual(['low', 3.1, V31_31]);
    const rustSec = advisory({}, { database_specific: { cvss: V30_98 } });
    expect(rating([rustSec])).toEqual(['critical', 9.8, V30_98]);
  });

  test('comes from the advisories that match, and from the others when these say nothing', () => {
    const silent = advisory({});
    const low = advisory({ severity: cvss(V31_31) });
    const high = advisory({ severity: cvss(V40_73) });
    expect(rating([low], [high])).toEqual(['low', 3.1, V31_31]);
    expect(rating([silent], [low, high])).toEqual(['high', 7.3, V40_73]);
    const word = advisory({ database_specific: { severity: 'MODERATE' } });
    expect(rating([word], [high])).toEqual(['medium', null, null]);
  });

  test('passes over malformed vectors', () => {
    const severity = cvss('CVSS:4.0/AV:N', 'nonsense', V31_31);
    expect(rating([advisory({ severity })])).toEqual(['low', 3.1, V31_31]);
    const onlyMalformed = {
      severity: cvss('CVSS:4.0/AV:N'),
      database_specific: { severity: 'high' },
    };
    expect(rating([advisory(onlyMalformed)])).toEqual(['high', null, null]);
  });

  test('is a score that the source states without a vector, after vectors, before words', () => {
    const stated = { cvss_v2: 10, cvss_v3: 5.4, severity: 'critical' };
    expect(rating([advisory({ database_specific: stated })])).toEqual(['medium', 5.4, null]);
    expect(rating([advisory({ database_specific: stated, severity: cvss(V31_31) })])).toEqual([
      'low',
      3.1,
      V31_31,
    ]);
    expect(rating([advisory({ database_specific: { cvss_v3: 75 } })])).toEqual([
      'unknown',
      null,
      null,
    ]);
  });

  test('is unknown when nobody says anything', () => {
    expect(rating([advisory({})], [advisory({})])).toEqual(['unknown', null, null]);
  });

  test('does not depend on the order of the advisories', () => {
    const all = [
      advisory({ severity: cvss(V31_75) }),
      advisory({ severity: cvss('CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:H/A:N') }),
      advisory({ severity: cvss(V30_98) }),
    ];
    expect(rating(all.toReversed())).toEqual(rating(all));
  });
});

describe('M18: the source of a severity', () => {
  const silent = advisory({ id: 'GO-1' });
  const low = advisory({ id: 'GHSA-1', severity: cvss(V31_31) });
  const high = advisory({ id: 'PYSEC-1', severity: cvss(V31_75) });
  const word = (id: string, severity: string) => advisory({ id, database_specific: { severity } });
  const inEntry = advisory({ id: 'RUSTSEC-1' }, { database_specific: { cvss: V31_31 } });
  const record = advisory({ id: 'cve-record:CVE-2024-1', severity: cvss(V40_73) });

  test.each<[string, RatedAdvisory[][], (string | null)[]]>([
    ['the matching advisory', [[low], [high], [record]], ['low', 'GHSA-1']],
    ['its entry', [[inEntry, high], [], [record]], ['low', 'RUSTSEC-1']],
    ['its word', [[word('GO-1', 'high')], [low], [record]], ['high', 'GO-1']],
    ['another advisory of the group', [[silent], [low, high], [record]], ['high', 'PYSEC-1']],
    ['the word of another', [[silent], [word('A', 'low')], [record]], ['low', 'A']],
    ['the most severe word', [[word('A', 'low'), word('B', 'high')]], ['high', 'B']],
    ['a CVE record', [[silent], [silent], [record]], ['high', 'cve-record:CVE-2024-1']],
    ['nothing', [[silent], [silent], []], ['unknown', null]],
  ])('is %s', (_name, sets, expected) => {
    const { severity, source } = rate(...sets);
    expect([severity, source]).toEqual(expected);
  });

  test('is the smallest id of those that state the same', () => {
    const same = ['B', 'A', 'C'].map((id) => advisory({ id, severity: cvss(V31_75) }));
    expect(rate(same).source).toBe('A');
    expect(rate(['B', 'A', 'C'].map((id) => word(id, 'low'))).source).toBe('A');
  });
});

test('a later set of records rates only what the earlier ones leave unknown', () => {
  const anyAdvisory = fc
    .record({
      id: fc.constantFrom('A', 'B', 'C'),
      severity: fc.subarray(cvss(V2_10, V30_98, V31_31, 'nonsense')),
      database_specific: fc.constantFrom({}, { severity: 'low' }, { cvss_v3: 5 }),
    })
    .map((fields) => advisory(fields));
  const anySet = fc.array(anyAdvisory, { maxLength: 3 });
  fc.assert(
    fc.property(anySet, anySet, anySet, (matching, others, records) => {
      const before = rate(matching, others);
      const after = rate(matching, others, records);
      expect(after).toEqual(before.severity === 'unknown' ? rate(records) : before);
      expect(after.source === null).toBe(after.severity === 'unknown');
      expect(rate(matching.toReversed(), others.toReversed(), records.toReversed())).toEqual(after);
    }),
  );
});

describe('M19: a source’s own word', () => {
  test.each([
    ['CRITICAL', 'critical'],
    ['High', 'high'],
    ['Important', 'high'],
    ['MODERATE', 'medium'],
    ['Medium', 'medium'],
    ['low', 'low'],
    ['None', 'none'],
    ['Unknown', 'unknown'],
    ['not yet assigned', 'unknown'],
  ])('%s is %s', (word, severity) => {
    expect(rating([advisory({ database_specific: { severity: word } })])[0]).toBe(severity);
  });

  test('may stand in several places, the affected entry’s before the record’s', () => {
    const record = { database_specific: { severity: 'low' } };
    expect(rating([advisory(record, { ecosystem_specific: { severity: 'high' } })])[0]).toBe(
      'high',
    );
    expect(rating([advisory(record, { ecosystem_specific: { urgency: 'medium' } })])[0]).toBe(
      'medium',
    );
    expect(rating([advisory(record, { database_specific: { severity: 'high' } })])[0]).toBe('high');
    expect(rating([advisory({ severity: [{ type: 'Ubuntu', score: 'medium' }] })])[0]).toBe(
      'medium',
    );
  });

  test('of several, the most severe counts', () => {
    const words = ['low', 'critical', 'medium'];
    const all = words.map((severity) => advisory({ database_specific: { severity } }));
    expect(rating(all)[0]).toBe('critical');
  });
});
