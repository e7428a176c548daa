import fc from 'fast-check';
import { addVersion, changedPackages, type TrackedService } from './add-version';
import { findingsHashOf } from './findings-hash';
import { recompute } from './reconcile';
import { decisionOn, factsOf, observation, sbomVersion } from './testing';
import type { TrackedVulnerability } from './types';

const found = fc.array(
  fc.constantFrom(
    'lodash@1.0.0 GHSA-1 CVE-1',
    'lodash@1.1.0 GHSA-1 CVE-1',
    'lodash@1.0.0 GHSA-1 GHSA-3',
    'axios@0.1.0 GHSA-2',
    'axios@0.2.0 GHSA-2',
    'vue@3.0.0 GHSA-9',
    'vue@3.0.0 GHSA-9 CVE-1',
  ),
  { maxLength: 5 },
);

function scanOf(texts: readonly string[]) {
  const observations = texts.map(observation);
  return { observations, revision: 1, findingsHash: () => findingsHashOf(observations) };
}

let ids = 0;

function factsFor(scans: Record<string, string[]>, { vulnerabilities }: TrackedService) {
  const acceptances = [decisionOn(['CVE-1'])];
  const newId = () => `vulnerability-${String(++ids).padStart(9, '0')}`;
  return factsOf(scans, { vulnerabilities, acceptances, newId });
}

function withVersion(service: TrackedService, seq: number, texts: readonly string[]) {
  const added = { sbomVersion: sbomVersion(seq, String(seq)), scan: scanOf(texts), seqs: [] };
  return addVersion(service, added, factsFor({}, service));
}

/** Without the ids, which are new ones each time. */
function reported(vulnerabilities: readonly TrackedVulnerability[]): string[] {
  return vulnerabilities.map((one) => JSON.stringify({ ...one, id: '' })).sort();
}

describe('R16: another SBOM', () => {
  const empty = { head: null, findingsHash: null, vulnerabilities: [] };

  test('changes the vulnerabilities of packages with other findings alone, and needs no others', () => {
    fc.assert(
      fc.property(fc.array(found, { minLength: 2, maxLength: 5 }), (scans) => {
        let service: TrackedService = empty;
        for (const [index, texts] of scans.entries()) {
          const seq = index + 1;
          const versions = Array.from({ length: seq }, (_, at) => sbomVersion(at + 1, `${at + 1}`));
          const all = Object.fromEntries(scans.map((scan, at) => [at + 1, scan]));
          const whole = recompute(factsFor(all, service), versions);
          const changed = changedPackages(service, sbomVersion(seq, `${seq}`), scanOf(texts));
          const isRead = ({ package_key }: TrackedVulnerability) =>
            changed?.includes(package_key) ?? true;
          const read = { ...service, vulnerabilities: service.vulnerabilities.filter(isRead) };
          const others = service.vulnerabilities.filter((one) => !isRead(one));
          const added = withVersion(read, seq, texts);
          // Of a package whose identities were reshaped, past versions change too.
          const next = added
            ? { ...added, vulnerabilities: [...others, ...added.vulnerabilities] }
            : { ...whole, findingsHash: null };
          expect(reported(next.vulnerabilities)).toEqual(reported(whole.vulnerabilities));
          service = next;
        }
      }),
    );
  });

  test('may change any package if it is not the newest, or the findings of the newest are unknown', () => {
    const stored = withVersion(empty, 2, ['lodash@1.0.0 GHSA-1']) as TrackedService;
    const scan = scanOf(['lodash@1.1.0 GHSA-1']);
    expect(changedPackages(stored, sbomVersion(3, '3'), scan)).toEqual(['npm|lodash']);
    expect(changedPackages(stored, sbomVersion(1, '1'), scan)).toBeUndefined();
    const unknown = { ...stored, findingsHash: null };
    expect(changedPackages(unknown, sbomVersion(3, '3'), scan)).toBeUndefined();
  });
});
