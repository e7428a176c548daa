import type { OsvRecord } from '@bomtrail/osv';
import { readRecord } from '@bomtrail/osv';
import { assessVersion } from './assess-version';

function recordOf(id: string, affected: object): OsvRecord {
  const read = readRecord({ id, modified: '2026-01-01T00:00:00Z', affected: [affected] });
  if (!read.ok) throw new Error(read.problem);
  return read.record;
}

test('an assessment says the same whatever the order of the advisories', () => {
  const version = { ecosystem: 'Debian', suffix: null, name: 'a', version: '1 2' };
  const ofRelease = recordOf('A-1', {
    package: { ecosystem: 'Debian:12', name: 'a' },
    versions: ['1 2'],
  });
  const ofAnyRelease = recordOf('A-2', {
    package: { ecosystem: 'Debian', name: 'a' },
    ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2' }] }],
  });
  const advisories = [ofRelease, ofAnyRelease].map((record) => ({ group: record.id, record }));
  const reasons = advisories.map((one) => assessVersion(version, [one]).undetermined);
  // Each for a reason of its own, or the test shows nothing.
  expect(reasons).toEqual(['release_unknown', 'unreadable_version']);
  expect(assessVersion(version, advisories)).toEqual(
    assessVersion(version, [...advisories].reverse()),
  );
});

describe('M47: a GitHub repository', () => {
  const repository = {
    ecosystem: 'GitHub Actions',
    suffix: null,
    name: 'openssl/openssl',
    version: '3.0.0',
  };

  test('that no advisory names is no known action, so that it is not judged', () => {
    expect(assessVersion(repository, [])).toEqual({ matches: [], undetermined: 'unknown_action' });
    expect(assessVersion({ ...repository, ecosystem: 'npm' }, []).undetermined).toBeNull();
  });

  test('that one names is judged', () => {
    const record = recordOf('A-1', {
      package: { ecosystem: 'GitHub Actions', name: 'openssl/openssl' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
    });
    const assessment = assessVersion(repository, [{ group: 'A-1', record }]);
    expect(assessment).toEqual({ matches: [], undetermined: null });
  });
});
