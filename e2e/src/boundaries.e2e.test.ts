import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from './support/real-data';

const check = path.join(repositoryRoot, 'scripts', 'check-boundaries.mjs');
const deliberate = path.join(repositoryRoot, 'services', 'notifier', 'src', 'deliberate-import.ts');
const reconciler = path.join(repositoryRoot, 'services', 'reconciler', 'src');
const inDomain = path.join(reconciler, 'tracking', 'domain', 'deliberate-import.ts');
const inUnknownFolder = path.join(reconciler, 'deliberate-folder');

function run(): { status: number | null; said: string } {
  const broken = [deliberate, inDomain, inUnknownFolder];
  const { status, stdout, stderr } = spawnSync(process.execPath, [check, ...broken], {
    encoding: 'utf8',
  });
  return { status, said: stdout + stderr };
}

afterEach(() => {
  for (const file of [deliberate, inDomain, inUnknownFolder])
    rmSync(file, { force: true, recursive: true });
});

// One run for all, of what is broken only. That it passes on the tree as it is, lint shows.
test('an import from one service into another, a subject written outside of its list, a type that a domain imports from its store, and a folder that no rule knows fail the boundary check', () => {
  writeFileSync(
    deliberate,
    "import { slugOf } from '../../catalog/src/domain/slug';\nexport const broken = [slugOf, 'catalog.get-sbom.v1'];\n",
  );
  writeFileSync(
    inDomain,
    "import type { PendingUpdates } from '../store/documents';\nexport type Broken = PendingUpdates;\n",
  );
  mkdirSync(inUnknownFolder);
  writeFileSync(path.join(inUnknownFolder, 'file.ts'), 'export const broken = true;\n');
  const { status, said } = run();
  expect(status).toBe(1);
  expect(said).toContain('no-service-imports-another: services/notifier/src/deliberate-import.ts');
  expect(said).toContain('subject written outside of packages/messages: services/notifier');
  expect(said).toContain(
    'domain-knows-no-other-layer: services/reconciler/src/tracking/domain/deliberate-import.ts',
  );
  expect(said).toContain(
    'in a folder that no rule knows: services/reconciler/src/deliberate-folder/file.ts',
  );
});
