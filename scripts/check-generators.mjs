// Fails if a generator of clients does not understand the contract: openapi-typescript, openapi-python-client (Python
// 3.10 or newer) and oapi-codegen (Go). What they make is compiled and thrown away; needs PyPI and a Go module proxy.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const contract = path.join(root, 'packages/api-contract/generated/openapi.json');
const folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-generators-'));
const versions = { python: '0.29.1', go: 'v2.8.2', goRuntime: 'v1.8.0' };

/** Runs a program in the folder and returns what it printed; throws with that when it fails. */
function run(program, args, cwd = folder) {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function operationCount() {
  const { paths } = JSON.parse(readFileSync(contract, 'utf8'));
  const methods = new Set(['get', 'put', 'post', 'patch', 'delete']);
  return Object.values(paths).flatMap((path) => Object.keys(path).filter((one) => methods.has(one)))
    .length;
}

/** @throws Error unless it made a call for each operation */
function expectOperations(made) {
  if (made !== operationCount())
    throw new Error(`It made ${made} of ${operationCount()} operations.`);
}

const generators = {
  'openapi-typescript'() {
    const modules = path.join(root, 'node_modules/.bin');
    run(path.join(modules, 'openapi-typescript'), [contract, '-o', 'client.ts']);
    run(path.join(modules, 'tsc'), ['--noEmit', '--strict', 'client.ts']);
    const [, operations = ''] = readFileSync(path.join(folder, 'client.ts'), 'utf8').split(
      '\nexport interface operations {',
    );
    expectOperations(operations.match(/^ {4}\w+: \{$/gm)?.length ?? 0);
  },
  'openapi-python-client'() {
    run('python3', ['-m', 'venv', 'venv']);
    const bin = path.join(folder, 'venv/bin');
    run(path.join(bin, 'pip'), ['install', '-q', `openapi-python-client==${versions.python}`]);
    // What it cannot read it leaves out with a warning, which is printed to standard output.
    writeFileSync(path.join(folder, 'config.yml'), 'post_hooks: []\n');
    const said = run(path.join(bin, 'openapi-python-client'), [
      ...['generate', '--path', contract, '--output-path', 'python', '--meta', 'none'],
      ...['--config', 'config.yml', '--fail-on-warning'],
    ]);
    if (/warning/i.test(said)) throw new Error(said);
    run(path.join(bin, 'python'), ['-m', 'compileall', '-q', 'python']);
    const files = readdirSync(path.join(folder, 'python/api'), { recursive: true });
    expectOperations(files.filter((file) => /(?<!__init__)\.py$/.test(file)).length);
  },
  'oapi-codegen'() {
    const module = path.join(folder, 'go');
    mkdirSync(module);
    const tool = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen';
    run('go', [
      ...['run', `${tool}@${versions.go}`, '-generate', 'types,client', '-package', 'client'],
      ...['-o', path.join(module, 'client.go'), contract],
    ]);
    run('go', ['mod', 'init', 'client'], module);
    run('go', ['get', `github.com/oapi-codegen/runtime@${versions.goRuntime}`], module);
    run('go', ['mod', 'tidy'], module);
    run('go', ['build', './...'], module);
    const source = readFileSync(path.join(module, 'client.go'), 'utf8');
    // Each operation is parsed in one place, whatever its bodies.
    expectOperations(source.match(/^func Parse\w+Response\(/gm)?.length ?? 0);
  },
};

let failed = 0;
try {
  for (const [name, generate] of Object.entries(generators)) {
    const begin = performance.now();
    try {
      generate();
      console.log(`${name}: clean, ${((performance.now() - begin) / 1000).toFixed(1)} s`);
    } catch (error) {
      failed += 1;
      console.error(`${name}: ${error.message}\n${error.stdout ?? ''}${error.stderr ?? ''}`);
    }
  }
} finally {
  // Go makes the files of its module cache read-only; they lie elsewhere.
  rmSync(folder, { recursive: true, force: true });
}
process.exit(failed > 0 ? 1 : 0);
