import { evaluate } from './evaluate';
import { locate } from './locate';
import type { PackageVersion } from './package-key';
import { readRecord } from './read-record';
import type { OsvRecord } from './record';

/** Evaluates a record with these fields for a purl and says the verdict in one line. */
function verdict(purl: string, ...affected: object[]): string {
  return verdictOf(purl, { affected });
}

function verdictOf(purl: string, fields: object): string {
  const read = readRecord({ id: 'TEST-1', modified: '2024-01-01T00:00:00Z', ...fields });
  const located = locate({ purl, version: '' });
  if (!read.ok) throw new Error(read.problem);
  if (located.kind !== 'packages') throw new Error(located.reason);
  return located.packages.map((pkg) => verdictFor(read.record, pkg)).join('; ');
}

function verdictFor(record: OsvRecord, pkg: PackageVersion): string {
  const result = evaluate(record, pkg);
  switch (result.status) {
    case 'affected':
      return `${result.reason.rule} ${result.affected.join('+')} → ${result.fixedVersions.join(' ')}`;
    case 'undetermined':
      return `undetermined ${result.reason}`;
    case 'not_affected':
      return 'not affected';
  }
}

function entry(ecosystem: string, name: string, rest: object): object {
  return { package: { ecosystem, name }, ...rest };
}

function range(...events: [string, string][]): object {
  return { type: 'ECOSYSTEM', events: events.map(([kind, version]) => ({ [kind]: version })) };
}

const GIT = { type: 'GIT', repo: 'https://example.org/a', events: [{ introduced: '0' }] };
const BELOW_2 = { ranges: [range(['introduced', '0'], ['fixed', '2.0.0'])] };

describe('M1: a record affects a package version', () => {
  test('that a range holds, or that is listed', () => {
    const both = entry('npm', 'a', { ...BELOW_2, versions: ['3.0.0'] });
    expect(verdict('pkg:npm/a@1.0.0', both)).toBe('range 0 → 2.0.0');
    expect(verdict('pkg:npm/a@3.0.0', both)).toBe('version_listed 0 → ');
    expect(verdict('pkg:npm/a@2.0.0', both)).toBe('not affected');
  });

  test('by any of several entries for the package, the strongest rule first', () => {
    const entries = [
      entry('npm', 'b', BELOW_2),
      entry('npm', 'a', BELOW_2),
      entry('npm', 'a', { versions: ['1.0.0'] }),
      entry('npm', 'a', { ranges: [range(['introduced', '3.0.0'], ['fixed', '3.1.0'])] }),
    ];
    expect(verdict('pkg:npm/a@1.0.0', ...entries)).toBe('version_listed 1+2 → 2.0.0 3.1.0');
    expect(verdict('pkg:npm/a@3.0.5', ...entries)).toBe('range 3 → 3.1.0');
    expect(verdict('pkg:npm/a@2.5.0', ...entries)).toBe('not affected');
  });

  test('only of that package, in that ecosystem', () => {
    expect(verdict('pkg:npm/a@1.0.0', entry('npm', 'A', BELOW_2))).toBe('not affected');
    expect(verdict('pkg:npm/a@1.0.0', entry('PyPI', 'a', BELOW_2))).toBe('not affected');
    expect(verdict('pkg:npm/a@1.0.0', { ...BELOW_2 })).toBe('not affected');
  });
});

describe('M15: names are compared as the ecosystem compares them, on both sides', () => {
  test.each([
    ['pkg:pypi/Foo.Bar@1.0.0', 'PyPI', 'foo__bar'],
    ['pkg:nuget/NEWTONSOFT.Json@1.0.0', 'NuGet', 'Newtonsoft.Json'],
    ['pkg:composer/Symfony/HTTP-kernel@v1.0.0', 'Packagist', 'symfony/Http-Kernel'],
    ['pkg:golang/github.com/Masterminds/squirrel@v1.0.0', 'Go', 'github.com/Masterminds/squirrel'],
    ['pkg:golang/std@go1.20.1', 'Go', 'stdlib'],
    ['pkg:maven/org.a/B@1.0.0?type=jar', 'Maven', 'org.a:B'],
    ['pkg:gem/nokogiri@1.0.0-x86_64-linux', 'RubyGems', 'nokogiri'],
    ['pkg:cargo/a_b@1.0.0', 'crates.io', 'a_b'],
  ])('%s is %s %s', (purl, ecosystem, name) => {
    expect(verdict(purl, entry(ecosystem, name, BELOW_2))).toBe('range 0 → 2.0.0');
  });
});

describe('M5: a range of commits is left out by itself', () => {
  test('and the ranges after it still count', () => {
    expect(
      verdict('pkg:pypi/a@1.0', entry('PyPI', 'a', { ranges: [GIT, ...BELOW_2.ranges] })),
    ).toBe('range 0 → 2.0.0');
  });
});

test('M6: the ecosystem chooses the comparer, whatever the type of the range', () => {
  const semver = { type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '1.0' }] };
  const affected = entry('PyPI', 'a', { ranges: [semver] });
  expect(verdict('pkg:pypi/a@1.0.dev1', affected)).toBe('range 0 → 1.0');
  expect(verdict('pkg:pypi/a@1.0.post1', affected)).toBe('not affected');
});

test('M7: an entry without versions and without comparable ranges says nothing', () => {
  expect(verdict('pkg:npm/a@1.0.0', entry('npm', 'a', {}))).toBe('not affected');
  expect(verdict('pkg:npm/a@1.0.0', entry('npm', 'a', { ranges: [GIT] }))).toBe('not affected');
});

test('M8: a withdrawn record affects nothing', () => {
  const affected = [entry('npm', 'a', { ...BELOW_2, versions: ['1.0.0'] })];
  const withdrawn = { affected, withdrawn: '2024-02-01T00:00:00Z' };
  expect(verdictOf('pkg:npm/a@1.0.0', { affected })).toBe('version_listed 0 → 2.0.0');
  expect(verdictOf('pkg:npm/a@1.0.0', withdrawn)).toBe('not affected');
});

describe('M9: a listed version', () => {
  test.each([
    ['pkg:pypi/a@1.0.0', 'PyPI', '1.0'],
    ['pkg:composer/x/a@1.0.0', 'Packagist', 'v1.0.0'],
    ['pkg:npm/a@v1.0.0', 'npm', 'v1.0.0'],
  ])('%s is equal to %s %s', (purl, ecosystem, listed) => {
    const name = ecosystem === 'Packagist' ? 'x/a' : 'a';
    expect(verdict(purl, entry(ecosystem, name, { versions: ['9', listed] }))).toBe(
      'version_equal 0 → ',
    );
  });

  test('that is only similar does not match', () => {
    const affected = entry('PyPI', 'a', { versions: ['1.0.1', '1.0.post1'] });
    expect(verdict('pkg:pypi/a@1.0', affected)).toBe('not affected');
  });
});

test('M16: an advisory’s versions are prepared as the component’s are', () => {
  const ranges = [range(['introduced', 'go1.20'], ['fixed', 'go1.20.2'])];
  const affected = entry('Go', 'stdlib', { ranges });
  expect(verdict('pkg:golang/stdlib@go1.20.1', affected)).toBe('range 0 → go1.20.2');
  expect(verdict('pkg:golang/stdlib@1.20.2', affected)).toBe('not affected');
});

describe('M10: a version that cannot be read', () => {
  const purl = 'pkg:npm/a@not-a-version';
  test('matches where it is listed literally', () => {
    expect(verdict(purl, entry('npm', 'a', { ...BELOW_2, versions: ['not-a-version'] }))).toBe(
      'version_listed 0 → ',
    );
  });

  test('matches where every version is affected', () => {
    expect(verdict(purl, entry('npm', 'a', { ranges: [range(['introduced', '0'])] }))).toBe(
      'range 0 → ',
    );
  });

  test('is undetermined otherwise, in ranges and in lists', () => {
    const undetermined = 'undetermined unreadable_version';
    expect(verdict(purl, entry('npm', 'a', BELOW_2))).toBe(undetermined);
    expect(verdict(purl, entry('npm', 'a', { versions: ['1.0.0'] }))).toBe(undetermined);
    expect(verdict(purl, entry('npm', 'b', BELOW_2))).toBe('not affected');
  });
});

describe('M11: a change whose version cannot be read', () => {
  const affected = entry('npm', 'a', {
    ranges: [range(['introduced', '0'], ['fixed', 'not-a-version'])],
  });

  test('never makes a package clean in silence', () => {
    expect(verdict('pkg:npm/a@1.0.0', affected)).toBe('undetermined unreadable_version');
  });

  test('does not matter where another entry says that the version is affected', () => {
    expect(verdict('pkg:npm/a@1.0.0', affected, entry('npm', 'a', BELOW_2))).toBe(
      'range 1 → 2.0.0',
    );
  });
});

describe('M14: a registry', () => {
  const drupal = entry('Packagist:https://packages.drupal.org/8', 'drupal/token', BELOW_2);
  const packagist = entry('Packagist', 'drupal/token', BELOW_2);
  const token = 'pkg:composer/drupal/token@1.0.0';

  test('that both sides name fits, however it is written', () => {
    expect(verdict(`${token}?repository_url=packages.drupal.org/8/`, drupal)).toBe(
      'range 0 → 2.0.0',
    );
    expect(verdict(`${token}?repository_url=https://packagist.org`, packagist)).toBe(
      'range 0 → 2.0.0',
    );
  });

  test('that is another public one does not fit', () => {
    expect(verdict(`${token}?repository_url=https://packages.drupal.org/7`, drupal)).toBe(
      'not affected',
    );
  });

  test('that may be a mirror of the advisory’s gives no finding, but says so', () => {
    const mirrored = `${token}?repository_url=https://mirror.example.org`;
    expect(verdict(mirrored, drupal)).toBe('undetermined release_unknown');
    expect(verdict(mirrored.replace('1.0.0', '2.0.0'), drupal)).toBe('not affected');
  });

  test('that only one side names gives no finding, but says so where it would be one', () => {
    const google = entry('Maven:https://maven.google.com', 'androidx.work:work-runtime', BELOW_2);
    const work = 'pkg:maven/androidx.work/work-runtime';
    expect(verdict(`${work}@1.0.0`, google)).toBe('undetermined release_unknown');
    expect(verdict(`${token}?repository_url=https://mirror.example.org`, packagist)).toBe(
      'undetermined release_unknown',
    );
    expect(verdict(`${work}@2.0.0`, google)).toBe('not affected');
  });
});

describe('M45: a module of Drupal for which no registry is named', () => {
  const at = (registry: string | null, name = 'drupal/token'): object =>
    entry(registry === null ? 'Packagist' : `Packagist:https://${registry}`, name, BELOW_2);
  const eight = 'packages.drupal.org/8';
  const seven = 'packages.drupal.org/7';
  const found = 'range 0 → 2.0.0';
  const unknown = 'undetermined release_unknown';

  test.each<[string, string, object, string]>([
    ['is one of packages.drupal.org', 'token@1.0.0', at(eight), found],
    ['is not affected where its version is not', 'token@2.0.0', at(eight), 'not affected'],
    ['is meant by an advisory without one', 'token@1.0.0', at(null), found],
    ['is meant so where it is named', `token@1.0.0?repository_url=${eight}`, at(null), found],
    ['may be one for Drupal 7', 'token@1.0.0', at(seven), unknown],
    ['is one for Drupal 7 if written so', 'token@7.x-1.0', at(seven), found],
    ['is none for 8 then', 'token@7.x-1.0', at(eight), 'not affected'],
    ['is one for 8 if written so', 'token@8.x-1.0', at(eight), found],
    ['is none for 7 then', 'token@8.x-1.0', at(seven), 'not affected'],
    ['of a mirror is unknown', 'token@1.0.0?repository_url=m.example.org', at(eight), unknown],
    ['is not the core', 'core@1.0.0', at(eight, 'drupal/core'), unknown],
    ['nor a part of the core', 'core-dev@1.0.0', at(eight, 'drupal/core-dev'), unknown],
  ])('%s: drupal/%s', (...[, component, advisory, expected]) => {
    expect(verdict(`pkg:composer/drupal/${component}`, advisory)).toBe(expected);
  });
});

test('M46: what affects a module that a Go component may be a package of is undetermined', () => {
  const vault = entry('Go', 'github.com/hashicorp/vault', BELOW_2);
  const purl = 'pkg:golang/github.com/hashicorp/vault/api';
  expect(verdict(`${purl}@v1.4.1`, vault)).toBe('not affected; undetermined module_unknown');
  expect(verdict(`${purl}@v1.4.1?type=module`, vault)).toBe('not affected');
  expect(verdict('pkg:golang/github.com/hashicorp/vault@v1.4.1#api', vault)).toBe(
    'not affected; range 0 → 2.0.0',
  );
  const net = entry('Go', 'golang.org/x/net', BELOW_2);
  expect(verdict('pkg:golang/golang.org/x/net/http2@v0.17.0', net)).toBe('range 0 → 2.0.0');
});

test('M46: the end of a module path that syft writes as subpath belongs to the module', () => {
  const below = { ranges: [range(['introduced', '0'], ['fixed', '4.18.2'])] };
  const v4 = entry('Go', 'github.com/jackc/pgx/v4', below);
  expect(verdict('pkg:golang/github.com/jackc/pgx@v4.10.1#v4', v4)).toBe('range 0 → 4.18.2');
  expect(verdict('pkg:golang/github.com/jackc/pgx@v4.18.2#v4', v4)).toBe('not affected');
});

describe('M44: `-0` in a record of Bitnami', () => {
  const go = (purl: string, ...events: [string, string][]): string =>
    verdict(
      `pkg:bitnami/golang@${purl}`,
      entry('Bitnami', 'golang', { ranges: [range(...events)] }),
    );

  test.each([
    ['1.23.9', 'not affected'],
    ['1.24.0-rc1', 'range 0 → 1.24.6'],
    ['1.24.0', 'range 0 → 1.24.6'],
    ['1.24.0-1', 'range 0 → 1.24.6'],
    ['1.24.6-2', 'not affected'],
  ])('stands before every prerelease: %s', (version, expected) => {
    expect(go(version, ['introduced', '1.24.0-0'], ['fixed', '1.24.6'])).toBe(expected);
  });

  test('is the release itself where it fixes', () => {
    const events: [string, string][] = [
      ['introduced', '0'],
      ['fixed', '1.24.0-0'],
    ];
    expect(go('1.24.0-rc1', ...events)).toBe('range 0 → 1.24.0-0');
    expect(go('1.24.0', ...events)).toBe('not affected');
  });
});

describe('M31: entries for the component’s own release decide alone', () => {
  const deb = 'pkg:deb/debian/a@1.5';
  const fixedIn = (ecosystem: string, fixed: string): object =>
    entry(ecosystem, 'a', { ranges: [range(['introduced', '0'], ['fixed', fixed])] });

  test('where the record has one, the entries that may be for it say nothing', () => {
    const own = fixedIn('Debian', '1.0');
    const perhaps = fixedIn('Debian:12', '2.0');
    expect(verdict(`${deb}?distro=sid`, own, perhaps)).toBe('not affected');
    expect(verdict(`${deb}?distro=sid`, perhaps)).toBe('undetermined release_unknown');
    expect(verdict(deb, fixedIn('Debian', '2.0'), perhaps)).toBe('range 0 → 2.0');
  });

  test('but a registry that nobody names is still unknown where another one is named', () => {
    const work = 'androidx.work:work-runtime';
    const entries = [
      entry('Maven', work, { ranges: [range(['introduced', '0'], ['fixed', '1.0'])] }),
      entry('Maven:https://maven.google.com', work, BELOW_2),
    ];
    const purl = 'pkg:maven/androidx.work/work-runtime@1.5.0';
    expect(verdict(purl, ...entries)).toBe('undetermined release_unknown');
  });
});

test('M13: an ecosystem whose name begins alike is another one', () => {
  expect(verdict('pkg:npm/a@1.0.0', entry('npmx', 'a', BELOW_2))).toBe('not affected');
  expect(verdict('pkg:npm/a@1.0.0', entry('npm-a', 'a', BELOW_2))).toBe('not affected');
});

test('M32: a source RPM of unknown epoch is compared without epochs', () => {
  const purl = (release: string): string =>
    `pkg:rpm/rocky/perl-Carp@1.42-396.el8?upstream=perl-5.26.3-${release}.src.rpm&distro=rocky-8`;
  const perl = entry('Rocky Linux:8', 'perl', {
    ranges: [range(['introduced', '0'], ['fixed', '1004:5.26.3-422.el8'])],
  });
  const before = 'not affected; range 0 → 1004:5.26.3-422.el8';
  expect(verdict(purl('420.el8'), perl)).toBe(before);
  expect(verdict(purl('422.el8'), perl)).toBe('not affected; not affected');
});

test('the reason says which entry and which of its ranges hold the version', () => {
  const read = readRecord({
    id: 'TEST-1',
    modified: '2024-01-01T00:00:00Z',
    affected: [
      entry('npm', 'b', BELOW_2),
      entry('npm', 'a', { ranges: [GIT, range(['introduced', '3.0.0']), ...BELOW_2.ranges] }),
    ],
  });
  if (!read.ok) throw new Error(read.problem);
  const pkg = { ecosystem: 'npm', suffix: null, name: 'a', version: '1.0.0' };
  expect(evaluate(read.record, pkg)).toMatchObject({
    status: 'affected',
    affected: [1],
    reason: { rule: 'range', entry: 1, range: 2 },
  });
});

describe('the fixed versions', () => {
  test('are those above the version at hand, ascending in the ecosystem’s order, each once', () => {
    const ranges = [
      range(['introduced', '0'], ['fixed', '0.9.0']),
      range(['introduced', '1.0.0'], ['fixed', '1.10.0']),
      range(['introduced', '1.0.0'], ['fixed', 'v1.10.0']),
      range(
        ['introduced', '1.2.0'],
        ['fixed', '1.9.0'],
        ['introduced', '2.0.0'],
        ['fixed', '2.1.0'],
      ),
    ];
    expect(verdict('pkg:npm/a@1.8.0', entry('npm', 'a', { ranges }))).toBe(
      'range 0 → 1.10.0 2.1.0',
    );
  });

  test('never hold one that the record itself calls affected', () => {
    const ranges = [
      range(['introduced', '0'], ['fixed', '2.0.0']),
      range(['introduced', '2.0.0'], ['fixed', '2.0.1']),
    ];
    expect(verdict('pkg:npm/a@1.0.0', entry('npm', 'a', { ranges }))).toBe('range 0 → 2.0.1');
  });
});
