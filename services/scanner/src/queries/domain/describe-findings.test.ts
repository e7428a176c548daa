import { describe, expect, test } from '@jest/globals';
import { evaluate, readRecord, type MatchReason, type OsvRecord } from '@bomtrail/osv';
import { osvJson, type AdvisoryFixture } from '../../testing/feed-folder';
import { assessVersion, sameAssessment } from '../../matching/domain/assess-version';
import {
  describeMatches,
  findingOf,
  groupMatches,
  groupSignature,
  mergeMatches,
} from './describe-findings';
import { mergeFixedVersions } from './fixed-versions';
import { pagesOf } from '../../domain/pages';

function advisory(fixture: AdvisoryFixture, group: string) {
  const read = readRecord(osvJson('npm', fixture));
  if (!read.ok) throw new Error(read.problem);
  return { group, record: read.record };
}

const reason: MatchReason = { rule: 'range', entry: 0, range: 0 };
const version = { ecosystem: 'npm', suffix: null, name: 'left', version: '1.2.0' };
const first = advisory({ id: 'GHSA-1', name: 'left', fixed: '1.10.0' }, 'CVE-1');
const second = advisory(
  { id: 'TEST-1', name: 'left', fixed: '1.9.0', aliases: ['CVE-1'] },
  'CVE-1',
);
const other = advisory({ id: 'GHSA-2', name: 'left', fixed: '3.0.0' }, 'GHSA-2');
const elsewhere = advisory({ id: 'GO-1', name: 'right', aliases: ['CVE-1'] }, 'CVE-1');

describe('the findings of a package version', () => {
  const { matches } = assessVersion(version, [second, other, first]);

  test('are one for each alias group', () => {
    expect(groupMatches(matches).map(({ group }) => group)).toEqual(['CVE-1', 'GHSA-2']);
  });

  test('name the fixed versions of all matching advisories in version order', () => {
    const [group] = groupMatches(matches);
    const component = {
      purl: 'p',
      package_name: 'left',
      package_version: '',
      is_direct: true,
      version_id: 'x',
      package_key: 'npm|left',
      matches: 2,
    };
    const finding = findingOf(component, version, { matches: group?.matches ?? [], details: 'k' });
    expect(finding).toMatchObject({
      fixed_versions: ['1.9.0', '1.10.0'],
      package_version: '1.2.0',
      package_key: 'npm|left',
    });
  });

  test('are described by the whole group, the same for whichever order of advisories', () => {
    const [group] = groupMatches(matches);
    const one = describeMatches(group?.matches ?? [], [first, second, elsewhere]);
    expect(one).toEqual(describeMatches(group?.matches ?? [], [elsewhere, second, first]));
    expect(JSON.parse(one?.json ?? '')).toMatchObject({
      aliases: ['CVE-1', 'GHSA-1', 'GO-1', 'TEST-1'],
      advisory_ids: ['GHSA-1', 'TEST-1'],
    });
  });

  test('have no description when every matching advisory was withdrawn', () => {
    const record: OsvRecord = { ...other.record, withdrawn: '2026-01-01T00:00:00.000Z' };
    const ofOther = matches.filter(({ group }) => group === 'GHSA-2');
    expect(describeMatches(ofOther, [{ ...other, record }])).toBeNull();
    expect(evaluate(record, version).status).toBe('not_affected');
  });

  test('differ by the matching entries', () => {
    const [group] = groupMatches(matches);
    const moved = (group?.matches ?? []).map((match) => ({ ...match, affected: [1] }));
    const signature = groupSignature({ group: 'CVE-1', matches: group?.matches ?? [] });
    expect(groupSignature({ group: 'CVE-1', matches: moved })).not.toBe(signature);
  });

  test('do not depend on the order of advisories, but on each part of a match', () => {
    const again = assessVersion(version, [first, second, other]);
    expect(sameAssessment({ matches, undetermined: null }, again)).toBe(true);
    for (const change of [{ group: 'x' }, { affected: [7] }, { fixed: ['9'] }, { id: 'x' }]) {
      const [head, ...rest] = again.matches;
      const changed = [{ ...(head ?? matches[0]), ...change } as (typeof matches)[0], ...rest];
      expect(sameAssessment({ ...again, matches: changed }, again)).toBe(false);
    }
    expect(sameAssessment({ ...again, undetermined: 'no_version' }, again)).toBe(false);
  });

  test('state why they match', () => {
    expect(matches.map((match) => match.reason)).toEqual([reason, reason, reason]);
    const all = { matches, undetermined: null };
    const moved = matches.map((match) => ({ ...match, reason: { ...reason, range: 1 } }));
    expect(sameAssessment(all, { matches: moved, undetermined: null })).toBe(false);
  });
});

describe('a component that is several package versions', () => {
  const of = (id: string, affected: number[], fixed: string[]) => ({
    id,
    group: 'CVE-1',
    affected,
    fixed,
    reason,
  });

  test('has each advisory once, with the entries and fixes of all', () => {
    const own = [of('B', [0], ['1.10-1'])];
    const source = [of('A', [3], ['1.9-1']), of('B', [2], ['1.9-1', '1.10-1'])];
    expect(mergeMatches('Rocky Linux', [own, source])).toEqual([
      of('A', [3], ['1.9-1']),
      of('B', [0, 2], ['1.9-1', '1.10-1']),
    ]);
    expect(mergeMatches('Rocky Linux', [own, []])).toEqual(own);
    expect(mergeMatches('Rocky Linux', [])).toEqual([]);
  });

  test('is known by its own name in a distribution, by the advisories’ name elsewhere', () => {
    const component = {
      purl: 'p',
      package_name: 'libssl3',
      package_version: '3.0.9-1',
      is_direct: true,
      version_id: 'x',
      package_key: 'Debian|libssl3',
      matches: 1,
    };
    const key = (ecosystem: string, name: string) =>
      findingOf(
        component,
        { ecosystem, name, version: '3.0.9-1' },
        { matches: [of('A', [0], [])], details: 'k' },
      ).package_key;
    expect(key('Debian', 'openssl')).toBe('Debian|libssl3');
    expect(key('Rocky Linux', 'openssl')).toBe('Rocky Linux|libssl3');
    expect(key('GitHub Actions', 'a/b')).toBe('GitHub Actions|a/b');
    expect(key('npm', 'openssl')).toBe('npm|openssl');
  });
});

test('fixed versions that the comparer calls equal count once', () => {
  expect(mergeFixedVersions('PyPI', [['1.0'], ['1.0.0', '2.0']])).toEqual(['1.0', '2.0']);
});

test('pages end at their count or size, and an item that is too large stands alone', () => {
  const sizeOf = (text: string): number => text.length;
  const limits = { items: 2, size: 4, sizeOf };
  expect(pagesOf(['a', 'b', 'c', 'ddddd', 'eee', 'ff'], limits)).toEqual([
    ['a', 'b'],
    ['c'],
    ['ddddd'],
    ['eee'],
    ['ff'],
  ]);
});
