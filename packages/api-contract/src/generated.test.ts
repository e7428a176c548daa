import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { openapiDocument } from './document';

test('the generated types are those of openapi.yaml: run `npm run gen -w @bomtrail/api-contract`', () => {
  const packageFolder = join(__dirname, '..');
  const generator = join(dirname(require.resolve('openapi-typescript/package.json')), 'bin/cli.js');
  const generated = execFileSync(process.execPath, [generator, 'openapi.yaml'], {
    cwd: packageFolder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    maxBuffer: 16 * 1024 * 1024,
  });
  const committed = readFileSync(join(__dirname, 'generated/openapi.ts'), 'utf8');
  expect(generated.trim()).toBe(committed.trim());
}, 60_000);

test('the served document is openapi.yaml: run `npm run gen -w @bomtrail/api-contract`', () => {
  const source = readFileSync(join(__dirname, '../openapi.yaml'), 'utf8');
  expect(openapiDocument()).toEqual(parse(source));
});
