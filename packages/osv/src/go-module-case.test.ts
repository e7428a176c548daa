import { evaluate } from './evaluate';
import { locate } from './locate';
import { affectedKeys, packageKey } from './package-key';
import { readRecord } from './read-record';

const GOUTILS = { ecosystem: 'Go', name: 'github.com/Masterminds/goutils' };

function verdictOf(purl: string, pkg: { ecosystem: string; name: string } = GOUTILS): string {
  const ranges = [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.1.1' }] }];
  const read = readRecord({
    id: 'TEST-1',
    modified: '2024-01-01T00:00:00Z',
    affected: [{ package: pkg, ranges }],
  });
  const located = locate({ purl, version: '' });
  if (!read.ok || located.kind !== 'packages') throw new Error('not read');
  const [version] = located.packages;
  if (version === undefined) throw new Error('no package');
  const isFound = affectedKeys(read.record).includes(packageKey(version.ecosystem, version.name));
  return isFound ? evaluate(read.record, version).status : 'not found';
}

describe('the case of a Go module path (M42)', () => {
  test('a path as written is found', () => {
    expect(verdictOf('pkg:golang/github.com/Masterminds/goutils@v1.1.0')).toBe('affected');
  });

  test('a path that a library put in lower case, as the purl specification wants, is found', () => {
    expect(verdictOf('pkg:golang/github.com/masterminds/goutils@v1.1.0')).toBe('affected');
    expect(verdictOf('pkg:golang/github.com/masterminds/goutils@v1.1.1')).toBe('not_affected');
  });

  test('a path with other capitals is another module', () => {
    expect(verdictOf('pkg:golang/github.com/MasterMinds/goutils@v1.1.0')).toBe('not found');
  });

  test('elsewhere the case of a name says which package it is', () => {
    const JSON_STREAM = { ecosystem: 'npm', name: 'JSONStream' };
    expect(verdictOf('pkg:npm/jsonstream@1.0.0', JSON_STREAM)).toBe('not found');
  });
});
