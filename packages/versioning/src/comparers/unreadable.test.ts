import { comparerOf } from '../index';

/** Texts that stand where a version should, in documents as they are. */
const UNREADABLE: readonly (readonly [string, readonly string[]])[] = [
  ['npm', ['latest', '1.x', '^1.0.0', '*', 'file:../lib', '1.2.3-', '1.2.3-a..b', '3fa85f6', 'v']],
  ['crates.io', ['1.2.', '1..2', 'git+https://example.org', '1.0.0+']],
  ['Go', ['(devel)', 'unknown', 'master', '1.20.1 X:boringcrypto', '1.20custom']],
  [
    'PyPI',
    [
      ...['unknown', 'trunk', 'master', 'v2004d', '3fa85f6', '1.0.x', '2.x-dev', '1.0.*'],
      ...['1.0+', '1.0+a..b', '1.0-', '1.0..1', '${version}', '0.1 build 2'],
      '7e0c1a6d0f0d4b0e8a52a1b9a2d4c1f5e6d7c8b9',
    ],
  ],
  [
    'Maven',
    [
      '${revision}',
      '[1.0,2.0)',
      'aa4f3d98ab19c201e7f3c74cd14c99174148616d',
      '1.0 build 2',
      'LATEST',
      'RELEASE',
    ],
  ],
  ['RubyGems', ['1beta', 'v1.0', '1..0', '>= 1']],
  ['NuGet', ['1.2.3.4.5', '1.0.0beta', '1.*', '1.0.0-']],
  ['Packagist', ['dev-main', '1.x-dev', '1.0.x-dev', 'main', '1.2.3.#', '5.1.0-test', '1..0']],
  ['Debian', ['a1.0', 'x:1.0', '1.0-', '1:', '1.0_1']],
  ['Red Hat', ['[1.0,2.0)', '1.0-1 x', '*']],
  ['Alpine', ['1.0-r1-2', '1..0', '1.0_blah', '1.0A']],
  ['GitHub Actions', ['v4', 'v4.1', 'main', '2235d5d7f7fe46ce1e0d54b7831c5681633b25cc']],
  ['opam', ['base', 'dev', 'transition', '1.0:1', 'v', '>=1']],
  ['GHC', ['9.4.x', 'head', '9.8.1-foo', '9..1', 'ghc-9.4.7']],
  ['Kubernetes', ['v1.x', 'latest', 'release-1.30']],
  ['VSCode', ['1.x', 'latest']],
  ['Hackage', ['1.0-1', '1.a', '1..0', '1.0.']],
  ['CRAN', ['1.0-rc1', '1--0', 'R 4.2', '1.0.']],
  ['ConanCenter', ['cci.20230101', '1.0.0rc1', 'system']],
];

describe.each(UNREADABLE)('a text that is no version of %s', (ecosystem, texts) => {
  test.each(texts)('has no place in its order: %s', (text) => {
    const compare = comparerOf(ecosystem);
    expect(compare?.(text, '1.0.0')).toBeNull();
    expect(compare?.('1.0.0', text)).toBeNull();
    expect(compare?.(text, text)).toBeNull();
  });
});
