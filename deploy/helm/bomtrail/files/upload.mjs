// What `helm test` runs: uploads an SBOM with a well-known hole, waits for its scan, reads what was found,
// and deletes the project again. Ends with 0 when that worked, with 1 and one line when not.
import { readFileSync } from 'node:fs';

const base = process.env.BASE_URL;
const key = readFileSync(process.env.API_KEY_FILE, 'utf8').trim();
const deadline = Date.now() + Number(process.env.TIMEOUT_SECONDS ?? 120) * 1000;

/** The form of an API key. What has another one is not sent, and not shown: it may be a secret all the same. */
const keyForm = /^bt_[A-Za-z0-9_-]{12}_[A-Za-z0-9_-]{43}$/;

/** One call; the answer's JSON. @throws Error with the answer when its status is another one than expected */
async function call(method, path, { expected, ...init }) {
  const headers = { authorization: `Bearer ${key}`, ...init.headers };
  const signal = AbortSignal.timeout(Math.max(1, deadline - Date.now()));
  const answer = await fetch(`${base}/api/v1${path}`, { ...init, method, headers, signal });
  const text = await answer.text();
  if (answer.status !== expected) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

const document = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  components: [
    { type: 'library', name: 'lodash', version: '4.17.20', purl: 'pkg:npm/lodash@4.17.20' },
  ],
};

async function uploadAndRead(project) {
  const form = new FormData();
  form.set('project_slug', project.slug);
  form.set('version', '1.0.0');
  form.set('file', new Blob([JSON.stringify(document)]), 'bom.json');
  let sbom = await call('POST', '/sboms/upload', { body: form, expected: 201 });
  while (sbom.scan_status === 'pending') {
    if (Date.now() > deadline) throw new Error(`The SBOM ${sbom.id} is not scanned yet.`);
    sbom = await call('GET', `/sboms/${sbom.id}?wait=10`, { expected: 200 });
  }
  if (sbom.scan_status !== 'scanned') throw new Error(`The scan ended as ${sbom.scan_status}.`);
  const found = sbom.vulnerabilities.map((one) => one.cve_id ?? one.advisory_ids[0]);
  if (found.length === 0) throw new Error('Nothing was found in lodash 4.17.20.');
  return found;
}

try {
  if (!keyForm.test(key)) throw new Error('The file of API_KEY_FILE holds no API key.');
  const name = `helm test ${Date.now()}`;
  const body = JSON.stringify({ name });
  const json = { 'content-type': 'application/json' };
  const project = await call('POST', '/projects', { body, headers: json, expected: 201 });
  try {
    const found = await uploadAndRead(project);
    console.log(`An SBOM was uploaded and scanned; in lodash 4.17.20 were found: ${found.join(', ')}`);
  } finally {
    await call('DELETE', `/projects/${project.id}`, { expected: 204 });
  }
} catch (error) {
  console.error(`The test failed. ${error.cause ? `${error.message}: ${error.cause}` : error.message}`);
  process.exitCode = 1;
}
