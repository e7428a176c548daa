import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CYCLONEDX_VERSIONS, SPDX_VERSIONS } from './recognise-format';

function read(file: string): string {
  return readFileSync(join(__dirname, '../../..', file), 'utf8');
}

function versionsIn(text: string): string[] {
  return [...text.matchAll(/\d+(?:\.\d+)+/g)].map(([version]) => version);
}

test('docs/validation.md lists the accepted versions of each format, and no other', () => {
  const rows = [...read('docs/validation.md').matchAll(/^\| (CycloneDX|SPDX) +\| (.*?) +\|/gm)];
  expect(rows.map(([, format, text = '']) => [format, versionsIn(text)])).toEqual([
    ['CycloneDX', [...CYCLONEDX_VERSIONS]],
    ['SPDX', [...SPDX_VERSIONS]],
  ]);
});

test('the contract names the first and last version of CycloneDX and every one of SPDX', () => {
  const contract = read('packages/api-contract/openapi.yaml');
  const described = /name: SBOMs\n +description: (.*)/.exec(contract)?.[1] ?? '';
  const ends = [CYCLONEDX_VERSIONS[0], CYCLONEDX_VERSIONS.at(-1)];
  expect(versionsIn(described)).toEqual([...ends, ...SPDX_VERSIONS]);
});
