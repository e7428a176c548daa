import { locate } from './locate';
import { affectedKeys, packageKey, versionKey } from './package-key';
import { readRecord } from './read-record';

function located(purl: string | null, version = ''): string {
  const result = locate({ purl, version });
  if (result.kind === 'undetermined') return result.reason;
  const texts = result.packages.map(
    ({ ecosystem, suffix, name, version: text }) =>
      `${ecosystem}${suffix === null ? '' : `:${suffix}`} ${name} ${text}`,
  );
  return texts.join(' | ');
}

describe('M15, M16: a component is located in its ecosystem by its purl', () => {
  test.each([
    ['pkg:npm/%40angular/core@v16.0.0', 'npm @angular/core 16.0.0'],
    ['pkg:npm/JSONStream@1.3.5', 'npm JSONStream 1.3.5'],
    [
      'pkg:golang/github.com/BurntSushi/toml@v1.2.0?type=module#cmd/tomlv',
      'Go github.com/BurntSushi/toml 1.2.0',
    ],
    [
      'pkg:golang/github.com/docker/docker@v20.10.7%2Bincompatible',
      'Go github.com/docker/docker 20.10.7+incompatible',
    ],
    ['pkg:golang/stdlib@1.20.1', 'Go stdlib 1.20.1'],
    ['pkg:golang/std@go1.20.1', 'Go stdlib 1.20.1'],
    ['pkg:golang/stdlib@go1.21rc2', 'Go stdlib 1.21.0-rc.2'],
    ['pkg:golang/go@1.22.3', 'Go stdlib 1.22.3'],
    ['pkg:golang/toolchain@go1.21.0', 'Go toolchain 1.21.0'],
    ['pkg:pypi/Zope.Interface__x@5.0', 'PyPI zope-interface-x 5.0'],
    ['pkg:pypi/Requests%5Bsecurity%5D@2.0', 'PyPI requests 2.0'],
    ['pkg:maven/org.a/B@1.0?type=jar&classifier=sources', 'Maven org.a:B 1.0'],
    ['pkg:maven/org.a:B@1.0', 'Maven org.a:B 1.0'],
    ['pkg:composer/Laravel/Framework@v9.1.0', 'Packagist laravel/framework 9.1.0'],
    ['pkg:gem/nokogiri@1.13.0-x86_64-linux', 'RubyGems nokogiri 1.13.0'],
    ['pkg:gem/nokogiri@1.13.0-java', 'RubyGems nokogiri 1.13.0'],
    ['pkg:gem/nokogiri@1.13.0-aarch64-linux-musl', 'RubyGems nokogiri 1.13.0'],
    ['pkg:gem/nokogiri@1.13.0-x64-mingw-ucrt', 'RubyGems nokogiri 1.13.0'],
    ['pkg:gem/ffi@1.15.5-arm64-darwin-21', 'RubyGems ffi 1.15.5'],
    ['pkg:gem/rails@7.0.0-rc1', 'RubyGems rails 7.0.0-rc1'],
    ['pkg:nuget/Newtonsoft.Json@12.0.1', 'NuGet newtonsoft.json 12.0.1'],
    ['pkg:cargo/Foo_bar@0.1.0', 'crates.io Foo_bar 0.1.0'],
  ])('%s is %s', (purl, expected) => {
    expect(located(purl)).toBe(expected);
  });

  test('whose version counts before the component’s, and the component’s where it has none', () => {
    expect(located('pkg:npm/a@1.0.0', '2.0.0')).toBe('npm a 1.0.0');
    expect(located('pkg:npm/a', 'v2.0.0')).toBe('npm a 2.0.0');
  });
});

describe('M15: the ecosystems beyond the first eight', () => {
  test.each([
    ['pkg:hex/Phoenix_HTML@3.0.0', 'Hex phoenix_html 3.0.0'],
    ['pkg:hex/acme/tools@1.0.0', 'Hex acme/tools 1.0.0'],
    ['pkg:pub/HTTP@0.13.3', 'Pub http 0.13.3'],
    ['pkg:swift/github.com/Apple/Swift-NIO@1.28.0', 'SwiftURL github.com/apple/swift-nio 1.28.0'],
    ['pkg:swift/git.Example.org/A/B@v1.0.0', 'SwiftURL git.example.org/A/B v1.0.0'],
    ['pkg:cran/A3@0.9.1', 'CRAN A3 0.9.1'],
    ['pkg:bioconductor/BiocVersion@3.18.1', 'Bioconductor BiocVersion 3.18.1'],
    ['pkg:hackage/AC-HalfInteger@1.2.1', 'Hackage AC-HalfInteger 1.2.1'],
    ['pkg:julia/HTTP@1.10.1?uuid=cd3eb016', 'Julia HTTP 1.10.1'],
    ['pkg:opam/cohttp@v5.3.0', 'opam cohttp v5.3.0'],
    ['pkg:bitnami/WordPress@6.8.2-1?arch=arm64&distro=debian-12', 'Bitnami wordpress 6.8.2-1'],
    ['pkg:vscode-extension/ms-Python/python@2024.1.0', 'VSCode ms-python.python 2024.1.0'],
    [
      'pkg:vscode-extension/redhat/java@1.0.0?repository_url=https://open-vsx.org',
      'VSCode:open-vsx.org redhat.java 1.0.0',
    ],
    ['pkg:github/Actions/Checkout@v4.1.0', 'GitHub Actions actions/checkout v4.1.0'],
    ['pkg:github/github/codeql-action/init@v3', 'GitHub Actions github/codeql-action v3'],
    [
      'pkg:github/tj-actions/changed-files@main#sub',
      'GitHub Actions tj-actions/changed-files main',
    ],
    ['pkg:dotnet/Markdig@0.21.1', 'NuGet markdig 0.21.1'],
    ['pkg:dotnet-core/Markdig@0.21.1', 'NuGet markdig 0.21.1'],
  ])('%s is %s', (purl, expected) => {
    expect(located(purl)).toBe(expected);
  });

  test.each([
    ['pkg:conan/OpenSSL@3.0.3', 'ConanCenter openssl 3.0.3'],
    ['pkg:conan/openssl@3.0.3?user=_&channel=_', 'ConanCenter openssl 3.0.3'],
    [
      'pkg:conan/openssl@3.0.3?user=bincrafters&channel=stable',
      'ConanCenter:bincrafters/stable openssl 3.0.3',
    ],
    [
      'pkg:conan/bincrafters/openssl@3.0.3?user=bincrafters&channel=stable',
      'ConanCenter:bincrafters/stable openssl 3.0.3',
    ],
    [
      'pkg:conan/openssl@3.0.3%40bincrafters/stable',
      'ConanCenter:bincrafters/stable openssl 3.0.3',
    ],
    ['pkg:conan/openssl@1.1.1k@_/_', 'ConanCenter openssl 1.1.1k'],
  ])('M30: %s is %s', (purl, expected) => {
    expect(located(purl)).toBe(expected);
  });
});

describe('M14: the registry of a component', () => {
  test.each([
    [
      'pkg:composer/drupal/token@1.5.0?repository_url=https://packages.drupal.org/8',
      'Packagist:packages.drupal.org/8 drupal/token 1.5.0',
    ],
    [
      'pkg:composer/drupal/token@1.5.0?repository_url=Packages.Drupal.org/8/',
      'Packagist:packages.drupal.org/8 drupal/token 1.5.0',
    ],
    [
      'pkg:maven/a/b@1?repository_url=https%3A%2F%2Frepo.maven.apache.org%2Fmaven2%2F',
      'Maven a:b 1',
    ],
    ['pkg:maven/a/b@1?repository_url=https://repo1.maven.org/maven2', 'Maven a:b 1'],
    ['pkg:maven/a/b@1?repository_url=https://maven.google.com', 'Maven:maven.google.com a:b 1'],
    [
      'pkg:maven/a/b@1?repository_url=https://dl.google.com/dl/android/maven2/',
      'Maven:maven.google.com a:b 1',
    ],
    ['pkg:maven/a/b@1?repository_url=https://repo1.maven.org', 'Maven a:b 1'],
    ['pkg:composer/a/b@1?repository_url=https://packagist.org', 'Packagist a/b 1'],
    ['pkg:composer/a/b@1?repository_url=repo.packagist.org/packages.json', 'Packagist a/b 1'],
    ['pkg:npm/a@1?repository_url=https://npm.example.org', 'npm a 1'],
  ])('%s is %s', (purl, expected) => {
    expect(located(purl)).toBe(expected);
  });
});

describe('M46: the path of a Go component', () => {
  const perhaps = 'Go:perhaps';
  test.each([
    ['golang.org/x/net@v0.17.0', 'Go golang.org/x/net 0.17.0'],
    ['golang.org/x/net/http2@v0.17.0', 'Go golang.org/x/net 0.17.0'],
    ['golang.org/x/crypto/ssh/agent@v0.1.0', 'Go golang.org/x/crypto 0.1.0'],
    [
      'golang.org/x/tools/gopls@v0.15.0',
      `Go golang.org/x/tools/gopls 0.15.0 | ${perhaps} golang.org/x/tools 0.15.0`,
    ],
    [
      'github.com/docker/docker/pkg/homedir@v20.10.11%2Bincompatible',
      'Go github.com/docker/docker 20.10.11+incompatible',
    ],
    [
      'github.com/hashicorp/vault/api@v1.4.1?type=module',
      'Go github.com/hashicorp/vault/api 1.4.1',
    ],
    [
      'github.com/hashicorp/vault/sdk/helper@v0.4.1',
      `Go github.com/hashicorp/vault/sdk/helper 0.4.1 | ${perhaps} github.com/hashicorp/vault/sdk 0.4.1 | ${perhaps} github.com/hashicorp/vault 0.4.1`,
    ],
    ['go.etcd.io/etcd/client/v3@v3.5.0', 'Go go.etcd.io/etcd/client/v3 3.5.0'],
    [
      'go.etcd.io/etcd/client/v3/naming@v3.5.0',
      `Go go.etcd.io/etcd/client/v3/naming 3.5.0 | ${perhaps} go.etcd.io/etcd/client/v3 3.5.0`,
    ],
    ['gopkg.in/yaml.v3@v3.0.0', 'Go gopkg.in/yaml.v3 3.0.0'],
    [
      'gopkg.in/square/go-jose.v2/jwt@v2.6.0',
      `Go gopkg.in/square/go-jose.v2/jwt 2.6.0 | ${perhaps} gopkg.in/square/go-jose.v2 2.6.0`,
    ],
    ['github.com/a/b@v1.0.0', 'Go github.com/a/b 1.0.0'],
    ['github.com/jackc/pgx@v4.10.1#v4', 'Go github.com/jackc/pgx/v4 4.10.1'],
    ['golang.org/x/net@v0.17.0#http2', 'Go golang.org/x/net 0.17.0'],
    ['stdlib@1.22.0#net/http', 'Go stdlib 1.22.0'],
    [
      'github.com/hashicorp/vault@v0.4.1#sdk',
      'Go github.com/hashicorp/vault/sdk 0.4.1 | Go github.com/hashicorp/vault 0.4.1',
    ],
    [
      'github.com/hashicorp/vault@v0.4.1#sdk/helper',
      `Go github.com/hashicorp/vault/sdk/helper 0.4.1 | ${perhaps} github.com/hashicorp/vault/sdk 0.4.1 | Go github.com/hashicorp/vault 0.4.1`,
    ],
    ['mine/own/thing@v1.0.0', 'Go mine/own/thing 1.0.0'],
  ])('%s is looked up as %s', (path, expected) => {
    expect(located(`pkg:golang/${path}`)).toBe(expected);
  });
});

describe('a component that cannot be located says why', () => {
  test.each([
    [null, '1.0', 'no_purl'],
    ['', '1.0', 'no_purl'],
    ['lodash@1', '1.0', 'no_purl'],
    ['pkg:maven/junit@4.12', '', 'no_purl'],
    ['pkg:composer/laravel@9.1.0', '', 'no_purl'],
    ['pkg:swift/Alamofire@5.4.3', '', 'no_purl'],
    ['pkg:npm/a', '', 'no_version'],
    ['pkg:npm/a@%20', ' ', 'no_version'],
    ['pkg:maven/a/b@UNKNOWN', '', 'no_version'],
    ['pkg:maven/a/b@${revision}', '', 'unreadable_version'],
    ['pkg:deb/debian/curl?distro=debian-12', '', 'no_version'],
    ['pkg:deb/raspbian/curl@7.50?distro=raspbian-12', '', 'unknown_ecosystem'],
    ['pkg:deb/curl@7.50', '', 'unknown_ecosystem'],
    ['pkg:generic/openssl@1.0', '', 'unknown_ecosystem'],
    ['pkg:hex/phoenix', '', 'no_version'],
  ])('%s with version %j: %s', (purl, version, reason) => {
    expect(located(purl, version)).toBe(reason);
  });
});

describe('keys', () => {
  test.each([
    ['npm', 'JSONStream', 'npm|JSONStream'],
    ['PyPI', 'Zope.Interface', 'PyPI|zope-interface'],
    ['NuGet', 'Newtonsoft.Json', 'NuGet|newtonsoft.json'],
    ['Packagist:https://packages.drupal.org/8', 'drupal/Token', 'Packagist|drupal/token'],
    ['Ubuntu:Pro:14.04:LTS', 'linux', 'Ubuntu|linux'],
    ['Red Hat:enterprise_linux:9::baseos', 'openssl', 'Red Hat|openssl'],
    ['Go', 'stdlib', 'Go|stdlib'],
    ['SwiftURL', 'https://GitHub.com/apple/Swift-nio.git', 'SwiftURL|github.com/apple/swift-nio'],
    ['SwiftURL', 'github.com/apple/Swift-nio', 'SwiftURL|github.com/apple/swift-nio'],
    ['GitHub Actions', 'Actions/Checkout', 'GitHub Actions|actions/checkout'],
  ])('of %s %s is %s', (ecosystem, name, key) => {
    expect(packageKey(ecosystem, name)).toBe(key);
  });

  test('of one record name each package once, in every ecosystem, and no entry without package', () => {
    const names: [string, string][] = [
      ['PyPI', 'Foo_Bar'],
      ['PyPI', 'foo-bar'],
      ['Debian:12', 'foo'],
      ['Debian:11', 'foo'],
    ];
    const affected = names.map(([ecosystem, name]) => ({ package: { ecosystem, name } }));
    const read = readRecord({
      id: 'X',
      modified: '2024-01-01T00:00:00Z',
      affected: [...affected, { ranges: [] }],
    });
    expect(read.ok && affectedKeys(read.record)).toEqual(['PyPI|foo-bar', 'Debian|foo']);
  });

  test('of package versions differ where any part does', () => {
    const base = { ecosystem: 'npm', suffix: null, name: 'a', version: '1' };
    const variants = [
      base,
      { ...base, ecosystem: 'PyPI' },
      { ...base, name: 'a|1' },
      { ...base, name: 'a|' },
      { ...base, version: '1|1' },
      { ...base, version: '1%7C1' },
      { ...base, suffix: '1' },
      { ...base, suffix: '|1' },
    ];
    expect(new Set(variants.map(versionKey)).size).toBe(variants.length);
    expect(versionKey({ ...base })).toBe(versionKey(base));
  });
});
