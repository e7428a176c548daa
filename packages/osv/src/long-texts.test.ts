import { evaluate } from './evaluate';
import { locate } from './locate';
import { readRecord } from './read-record';

/** Quadratic time on this many characters is minutes, linear time milliseconds. */
const MANY = 400_000;

describe('what a document writes is read in linear time', () => {
  test.each([
    ['an address of slashes', `pkg:maven/a/b@1?repository_url=x${'/'.repeat(MANY)}x`],
    ['an encoded path of slashes', `pkg:swift/github.com/${'%2F'.repeat(MANY)}x@1`],
    ['a gem of platforms', `pkg:gem/a@1${'-java'.repeat(MANY)}!`],
    ['a distro of numbers', `pkg:deb/a@1?distro=${'-1'.repeat(MANY)}%0Ax`],
    ['a distro of SUSE', `pkg:rpm/suse/a@1?distro=sles${'-1'.repeat(MANY)}%0Ax`],
    ['a distro of words', `pkg:deb/debian/a@1?distro=debian-${'%20('.repeat(MANY)}x`],
    ['a source RPM of hyphens', `pkg:rpm/suse/a@1?upstream=${'a-'.repeat(MANY)}src.rpm`],
    ['a version of rebuilds', `pkg:deb/debian/a@1${'%2Bb1'.repeat(MANY)}x?distro=debian-12`],
    ['a build of tags', `pkg:rpm/openeuler/a@${'.oe2203'.repeat(MANY)}x?distro=openeuler-22.03`],
    ['a recipe of owners', `pkg:conan/a@1@${'/a'.repeat(MANY)}`],
    ['a name of separators', `pkg:pypi/${'-._'.repeat(MANY)}x@1`],
  ])('%s', (...[, purl]) => {
    expect(locate({ purl, version: '' }).kind).toMatch(/^(?:packages|undetermined)$/);
  });
});

describe('what an advisory writes is read in linear time', () => {
  test.each([
    ['extensions of a release of SUSE', 'SUSE:Linux Enterprise Server 15 SP5', '-a-b', '!'],
    ['words of a product of SUSE', 'SUSE:Linux Enterprise', ' module', '!'],
    ['streams of Ubuntu', 'Ubuntu:', 'Pro:', '!'],
  ])('%s', (...[, head, piece, end]) => {
    const ecosystem = `${head}${piece.repeat(10_000)}${end}`;
    const ranges = [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }];
    const affected = [{ package: { ecosystem, name: 'a' }, ranges }];
    const read = readRecord({ id: 'TEST-1', modified: '2024-01-01T00:00:00Z', affected });
    if (!read.ok) throw new Error(read.problem);
    const [base = ''] = head.split(':');
    const suffix = base === 'SUSE' ? '15.5' : '22.04';
    const verdict = evaluate(read.record, { ecosystem: base, suffix, name: 'a', version: '1' });
    expect(verdict).toEqual({ status: 'undetermined', reason: 'release_unknown' });
  });
});
