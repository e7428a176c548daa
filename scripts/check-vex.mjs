// Fails unless OpenVEX's own library (Go) reads and merges our OpenVEX export, and takes exactly the findings out that are
// decided. Needs a build and a Go module proxy. vexctl is a command around this library.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const { writeVex } = require('../packages/vex/dist/index.js');
const here = path.dirname(fileURLToPath(import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'bomtrail-vex-'));
const library = 'github.com/openvex/go-vex/pkg/vex@v0.2.9';

const at = '2026-01-02T03:04:05.000Z';
const products = ['pkg:npm/shop@1.0.0', 'pkg:oci/api@sha256%3Aab?repository_url=example.com'];
const components = ['pkg:npm/lodash@4.17.15', 'pkg:deb/debian/zlib1g@1.2.13?arch=amd64'];
/** Of each: the decision, and whether a reader takes the finding out. */
const decisions = [
  ['not_affected', 'vulnerable_code_not_in_execute_path', true],
  ['not_affected', null, true],
  ['false_positive', null, true],
  ['risk_accepted', null, false],
  ['in_triage', null, false],
];

const statements = products.flatMap((purl, n) =>
  decisions.map(([decision, justification], index) => ({
    id: `0197c1d0-3c2b-7a19-8e7f-${100_000_000_000 + n * 100 + index}`,
    vulnerability: [`CVE-2026-${1000 + index}`, `GHSA-aaaa-bbbb-000${index}`],
    decision,
    justification,
    detail: `Because of ${decision}.`,
    issued_at: at,
    updated_at: at,
    product: { id: `sbom-${n}`, name: `product-${n}`, version: '1', purl, bom: null },
    components: [components[n]],
  })),
);

function write(name, content) {
  const file = path.join(folder, name);
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const exportOf = (some, id) =>
  writeVex('openvex', {
    id,
    title: 'Shop',
    author: 'Example',
    namespace: 'urn:uuid:0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4e5f',
    issued_at: at,
    updated_at: at,
    statements: some,
  });

/** Every vulnerability by each of its names, in each component of each product. */
const findings = products.flatMap((product) =>
  components.flatMap((component) =>
    decisions.flatMap((_one, index) =>
      [`CVE-2026-${1000 + index}`, `GHSA-aaaa-bbbb-000${index}`].map((vulnerability) => ({
        vulnerability,
        product,
        component,
      })),
    ),
  ),
);

function isDecided({ vulnerability, product, component }) {
  const index = Number(vulnerability.slice(-1));
  return decisions[index][2] && products.indexOf(product) === components.indexOf(component);
}

const go = (...args) => execFileSync('go', args, { cwd: folder, encoding: 'utf8' });

try {
  copyFileSync(path.join(here, 'vex-reader/main.go'), path.join(folder, 'main.go'));
  go('mod', 'init', 'reader');
  go('get', library);
  go('build', '-o', 'reader', '.');
  const [first, second] = [0, 1].map((n) =>
    write(
      `export-${n}.json`,
      exportOf(
        statements.filter(({ product }) => product.purl === products[n]),
        `0197c1d0-3c2b-7a19-8e7f-0a1b2c3d4e5${n}`,
      ),
    ),
  );
  const asked = write('findings.json', findings);
  const said = execFileSync(path.join(folder, 'reader'), [first, second, asked], {
    encoding: 'utf8',
  });
  const expected = findings.filter(isDecided);
  const suppressed = JSON.parse(said);
  if (JSON.stringify(suppressed) !== JSON.stringify(expected))
    throw new Error(
      `It suppresses ${suppressed.length} findings, not these ${expected.length}:\n${said}`,
    );
  console.log(
    `${library}: ${statements.length} statements merged, ${suppressed.length} of ${findings.length} findings suppressed, as decided`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
