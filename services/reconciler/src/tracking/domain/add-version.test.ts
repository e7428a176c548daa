import fc from 'fast-check';
import { addVersion, changedPackages, type TrackedService } from './add-version';
import { findingsHashOf } from './findings-hash';
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

function withVersion(service: TrackedService, seq: number, texts: readonly string[]) {
  const { vulnerabilities } = service;
  const acceptances = [decisionOn(['CVE-1'])];
  const newId = () => `vulnerability-${String(++ids).padStart(9, '0')}`;
  const facts = factsOf({}, { vulnerabilities, acceptances, newId });
  const added = { sbomVersion: sbomVersion(seq, String(seq)), scan: scanOf(texts), seqs: [] };
  return addVersion(service, added, facts);
}

/** Without the ids, which are new ones each time. */
function reported(vulnerabilities: readonly TrackedVulnerability[]): string[] {
  return vulnerabilities.map((one) => JSON.stringify({ ...one, id: '' })).sort();
}

describe('R16: another SBOM', () => {
  const empty = { head: null, findingsHash: null, vulnerabilities: [] };

  test('changes the vulnerabilities of packages with other findings alone, and needs no others', () => {
    fc.assert(
      fc.property(found, found, (before, next) => {
        const stored = withVersion(empty, 1, before) as TrackedService;
        const whole = withVersion({ ...stored, findingsHash: null }, 2, next);
        const changed = changedPackages(stored, sbomVersion(2, '2'), scanOf(next)) ?? [];
        const isChanged = ({ package_key }: TrackedVulnerability) => changed.includes(package_key);
        const some = stored.vulnerabilities.filter(isChanged);
        const others = stored.vulnerabilities.filter((one) => !isChanged(one));
        const alone = withVersion({ ...stored, vulnerabilities: some }, 2, next);
        // Identities that were reshaped in one package need all of them.
        expect(alone === null).toBe(whole === null);
        if (!alone || !whole) return;
        expect(reported([...others, ...alone.vulnerabilities])).toEqual(
          reported(whole.vulnerabilities),
        );
        expect(alone.findingsHash).toBe(whole.findingsHash);
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
