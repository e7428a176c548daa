import { gzipSync } from 'node:zlib';
import { createKeyedMutex } from '@bomtrail/concurrency';
import { createScannerCaches } from '../cache/scanner-caches';
import { withResolved } from './resolve-components';

const named = (name: string, version = '1.0.0') => ({
  purl: 'pkg:npm/%40scope/one@1.0.0',
  name,
  version,
  is_direct: true,
});

test('components with one purl and other names or versions are resolved each by itself, also from the cache', async () => {
  const deps = { withKey: createKeyedMutex(), resolutions: createScannerCaches().resolutions };
  const components = [
    named('@scope/one'),
    named('one'),
    named('@scope/one', '2.0.0'),
    { purl: null, name: 'none', version: '', is_direct: true },
    { purl: null, name: 'none', version: '3', is_direct: true },
  ];
  const packed = gzipSync(JSON.stringify([...components, ...components.toReversed()]));
  const names = await withResolved(deps, { roots: [], packed }, async (set) => [
    ...set.names.values(),
  ]);
  expect(names.map(({ name, versions }) => [name, versions])).toEqual([
    ['one', ['1.0.0']],
    ['@scope/one', ['2.0.0', '1.0.0']],
    ['none', ['']],
    ['none', ['3']],
  ]);
  expect(deps.resolutions.size).toBe(components.length);
});

test('a component without a purl does not stand for another one, whatever its name', async () => {
  const deps = { withKey: createKeyedMutex(), resolutions: createScannerCaches().resolutions };
  const real = named('@scope/one');
  const key = JSON.stringify([real.purl, real.version, real.name, undefined]);
  const posing = { purl: null, name: key, version: '', is_direct: true };
  const packed = gzipSync(JSON.stringify([named('one'), posing, real]));
  const counts = await withResolved(deps, { roots: [], packed }, async ({ resolved }) =>
    resolved.map(({ versionIds }) => versionIds.length),
  );
  expect(counts).toEqual([1, 1]);
});
