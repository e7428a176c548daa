import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

function filesIn(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  );
}

test('the generated code is that of proto/: run `npm run gen`', () => {
  const folder = mkdtempSync(join(tmpdir(), 'grpc-generated-'));
  try {
    execFileSync(process.execPath, [join(__dirname, '../generate.mjs'), folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    expect(filesIn(folder)).toEqual(filesIn(join(__dirname, 'generated')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}, 60_000);
