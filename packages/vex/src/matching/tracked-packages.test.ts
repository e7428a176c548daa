import { describe, expect, test } from '@jest/globals';
import { identifierOf } from '../identifiers';
import { matchStatements } from './match-statements';

/** What a statement about `named` covers in an SBOM of these packages: keys of findings and versions, or the reason. */
function covered(packages: readonly string[], named: string): string {
  const sbom = {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    components: packages.map((purl, index) => ({
      type: 'library',
      name: `part ${index}`,
      'bom-ref': String(index),
      purl,
    })),
  };
  const products = [{ identifiers: [identifierOf(named)], subcomponents: [] }];
  const [match] = matchStatements(Buffer.from(JSON.stringify(sbom)), [products]);
  if (!match?.fits || match.covers === 'everything') return match?.fits ? 'all' : match!.reason;
  return match.covers.map((one) => `${one.package_key}@${one.version}`).join(' ');
}

const http2 = 'pkg:golang/golang.org/x/net/http2';
const html = 'pkg:golang/golang.org/x/net/html';
const net = 'Go|golang.org/x/net';

describe('VX7 what is covered is named like the findings about it', () => {
  test.each<[string, string[], string, string]>([
    ['the module of a Go package', [`${http2}@v0.5.0`], http2, `${net}@v0.5.0`],
    [
      'that of an incompatible version',
      ['pkg:golang/github.com/docker/cli/cli/config@v20.10.7%2Bincompatible'],
      'pkg:golang/github.com/docker/cli/cli/config@v20.10.7%2Bincompatible',
      'Go|github.com/docker/cli@v20.10.7+incompatible',
    ],
    [
      'no package of which another one of its module is listed, too',
      [`${http2}@v0.5.0`, `${html}@v0.5.0`],
      http2,
      'used_outside_product',
    ],
    [
      'the version that no other package of the module has',
      [`${http2}@v0.5.0`, `${html}@v0.6.0`],
      http2,
      `${net}@v0.5.0`,
    ],
    [
      'all packages of a module that is named itself',
      [`${http2}@v0.5.0`, `${html}@v0.5.0`],
      'pkg:golang/golang.org/x/net@v0.5.0',
      `${net}@v0.5.0`,
    ],
    [
      'no package of a module in another version',
      [`${http2}@v0.5.0`],
      'pkg:golang/golang.org/x/net@v0.7.0',
      'product_version_differs',
    ],
    [
      'no package that may be of another module',
      ['pkg:golang/github.com/hashicorp/vault/api@v1.0.0'],
      'pkg:golang/github.com/hashicorp/vault',
      'product_not_found',
    ],
    [
      'a folder of an action',
      ['pkg:github/Owner/repo/folder@v1.0.0'],
      'pkg:github/owner/repo/folder@v1.0.0',
      'GitHub Actions|owner/repo@v1.0.0',
    ],
    [
      'a distribution that a qualifier tells',
      ['pkg:rpm/suse/zlib@1.2?distro=opensuse-leap-15.5'],
      'pkg:rpm/suse/zlib@1.2',
      'openSUSE|zlib@1.2',
    ],
    [
      'what has no advisories, by its identity',
      ['pkg:generic/zlib@1.2'],
      'pkg:generic/zlib',
      'undefined@1.2',
    ],
  ])('%s', (_name, ...[packages, named, expected]) => {
    expect(covered(packages, named)).toBe(expected);
  });
});
