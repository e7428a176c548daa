// Checks the rules of .dependency-cruiser.cjs over all source files, that nothing was overlooked, and
// that subjects of the bus are written in packages/messages only. `check-boundaries.mjs [<folder> …]`: in these folders
// alone.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
process.chdir(root);
const depcruise = path.join('node_modules', '.bin', 'depcruise');

const asked = process.argv.slice(2);
const folders =
  asked.length > 0 ? asked : ['packages', 'services', 'e2e', 'bench', 'chaos', 'delivery'];
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\/src\/.*\.tsx?$/.test(file) && !file.endsWith('.d.ts'));

const output = execFileSync(
  depcruise,
  ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...files],
  {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  },
);
const { summary, modules } = JSON.parse(output);

const problems = summary.violations.map(
  (violation) => `${violation.rule.name}: ${violation.from} -> ${violation.to}`,
);
const seen = new Set(modules.map((module) => module.source));
for (const file of files) if (!seen.has(file)) problems.push(`not looked at: ${file}`);

// A folder that no rule knows would be checked by none of them.
const features = createRequire(import.meta.url)('./feature-folders.cjs');
const others = 'command|events|measure|rpc|sweeps|testing';
const layout = new RegExp(
  `^services/reconciler/src/([^/]+|(${others})/.+|(${features.join('|')})/((domain|store)/)?[^/]+)$`,
);
for (const file of files)
  if (file.startsWith('services/reconciler/') && !layout.test(file))
    problems.push(`in a folder that no rule knows: ${file}`);

const subjectLiteral =
  /['"`](scan|sbom|findings|vulnerability|ingest|catalog|scanner|reconciler|notifier|gateway)\.[a-z-]+\.v\d/;
for (const file of files) {
  if (file.startsWith('packages/messages/') || file.endsWith('.test.ts')) continue;
  if (subjectLiteral.test(readFileSync(file, 'utf8')))
    problems.push(`subject written outside of packages/messages: ${file}`);
}

for (const problem of problems) console.error(problem);
console.log(`boundaries: ${files.length} files, ${problems.length} problems`);
process.exit(problems.length > 0 ? 1 : 0);
