import type { ApiClient, OpenVulnerability, ScanState } from './api-client';
import { roundsOf } from './example-sboms';
import { runDemo } from './run-demo';

const rounds = roundsOf([
  { serviceName: 'web-shop', version: '1', file: 'a' },
  { serviceName: 'web-shop', version: '2', file: 'b' },
]);
const scanned: ScanState = {
  scan_status: 'scanned',
  coverage: { components: 12, evaluated: 10, undetermined: { feed_not_loaded: 2 } },
  advisory_data: 'feed',
};

function row(id: string): OpenVulnerability {
  return {
    id,
    cve_id: `CVE-${id}`,
    severity: 'high',
    package_name: 'lodash',
    package_version: '4.17.15',
    fixed_versions: [],
    service_name: 'web-shop',
  };
}

/** An API that answers with `open[n]` after n + 1 uploads. */
function clientWith(open: OpenVulnerability[][], scan: ScanState = scanned): ApiClient {
  let uploads = 0;
  return {
    createProject: () => Promise.resolve({ id: 'p', slug: 'demo-shop' }),
    uploadSbom: () => Promise.resolve({ id: String(++uploads) }),
    scanState: () => Promise.resolve(scan),
    openVulnerabilities: () => Promise.resolve(open[uploads - 1] ?? []),
  };
}

async function shown(client: ApiClient): Promise<string> {
  const lines: string[] = [];
  await runDemo({ client, rounds, say: (line) => lines.push(line) });
  return lines.join('\n');
}

describe('the demo', () => {
  test('tells what a new version fixed and what it left', async () => {
    const text = await shown(
      clientWith([
        [row('1'), row('2')],
        [row('2'), row('3')],
      ]),
    );
    expect(text).toContain('2 known vulnerabilities are open');
    const [, afterFixed = ''] = text.split('1 got fixed:');
    const [fixed = '', rest = ''] = afterFixed.split('1 are new:');
    const [appeared = '', stillOpen = ''] = rest.split('1 are still open:');
    expect(fixed).toContain('CVE-1');
    expect(appeared).toContain('CVE-3');
    expect(stillOpen).toContain('CVE-2');
  });

  test('says how much was judged, on what data', async () => {
    const text = await shown(clientWith([[row('1')], []]));
    expect(text).toContain('10 of 12 packages were judged, against the full advisory feeds.');
  });

  test('calls nothing clean that was compared with the starter set only', async () => {
    const coverage = { components: 12, evaluated: 0, undetermined: { starter_data: 12 } };
    const sample: ScanState = { ...scanned, coverage, advisory_data: 'starter' };
    expect(await shown(clientWith([[row('1')], []], sample))).toContain(
      '12 of 12 packages were compared with the starter set of advisories: a sample',
    );
    const mixed = {
      ...scanned,
      coverage: { ...coverage, evaluated: 8, undetermined: { starter_data: 4 } },
    };
    expect(await shown(clientWith([[row('1')], []], mixed))).toContain(
      '8 of 12 packages were judged, against the full advisory feeds. 4 more were compared with the starter set only.',
    );
  });

  test('fails when nothing was found', async () => {
    await expect(shown(clientWith([[], []]))).rejects.toThrow('no vulnerability was found');
  });

  test('fails when the new version fixed nothing', async () => {
    await expect(shown(clientWith([[row('1')], [row('1')]]))).rejects.toThrow('fixed nothing');
  });

  test('fails when a scan fails', async () => {
    const failing = clientWith([[row('1')]], { ...scanned, scan_status: 'failed' });
    await expect(shown(failing)).rejects.toThrow('the scan of web-shop 1 failed');
  });
});
