import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './support/real-data';

const check = path.join(repositoryRoot, 'scripts', 'check-boundaries.mjs');
const deliberate = path.join(repositoryRoot, 'services', 'notifier', 'src', 'deliberate-import.ts');

function run(): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [check], { encoding: 'utf8' });
  return { status, said: stdout + stderr };
}

afterEach(() => rmSync(deliberate, { force: true }));

test('an import from one service into another, and a subject written outside of its list, fail the boundary check', () => {
  expect(run()).toMatchObject({ status: 0 });
  writeFileSync(
    deliberate,
    "import { slugOf } from '../../catalog/src/domain/slug';\nexport const broken = [slugOf, 'catalog.get-sbom.v1'];\n",
  );
  const { status, said } = run();
  expect(status).toBe(1);
  expect(said).toContain('no-service-imports-another: services/notifier/src/deliberate-import.ts');
  expect(said).toContain('subject written outside of packages/messages: services/notifier');
});
