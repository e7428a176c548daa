import { packJson, type Request } from '@bomtrail/messaging';
import { createScanReader } from './scan-reader';

const details = {
  aliases: ['GHSA-1'],
  advisory_ids: ['GHSA-1'],
  cve_id: 'GHSA-1',
  severity: 'high',
};

/** A scanner that says of each set that it contains lodash in the version that the digest names. */
async function readerOfVersions(versions: readonly string[]) {
  const findings = versions.map((package_version) => ({
    package_key: 'npm|lodash',
    package_name: 'lodash',
    package_version,
    ecosystem: 'npm',
    purl: 'pkg:npm/lodash',
    is_direct: true,
    fixed_versions: ['5.0.0'],
    details: 'hash',
  }));
  const sets = versions.map((digest, place) => ({ digest, revision: 1, findings: [place] }));
  const report = { findings, vulnerabilities: { hash: details }, sets };
  const attachment = await packJson(JSON.stringify(report));
  const request = async () => ({ body: { answered: versions.length }, attachment });
  const reader = createScanReader({
    request: request as unknown as Request,
    storeDetails: async () => {},
  });
  return reader.read;
}

test('if the purl has no version, each set keeps its own version', async () => {
  const versions = ['4.17.10', '4.17.11'];
  const read = await readerOfVersions(versions);
  const scans = await Promise.all(versions.map((digest) => read({ digest, packages: null })));
  const contained = scans.map(({ observations }) => observations.map((one) => one.package_version));
  expect(contained).toEqual([['4.17.10'], ['4.17.11']]);
  expect(scans[0]?.findingsHash()).not.toBe(scans[1]?.findingsHash());
});
