import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

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
