import { sbomVersion } from '../domain/testing';
import type { TrackedVulnerability } from '../domain/types';
import type { SbomVersionDocument } from './documents';
import { splitChange } from './service-saver';
import type { ServiceChange, StoredService } from './write-changes';

const service = { service_id: 'service', project_id: 'project' };
const vulnerability = (
  id: string,
  status: TrackedVulnerability['status'],
): TrackedVulnerability => ({
  id,
  status,
  package_key: 'npm|a',
  origin: id,
  identity: [id],
  presence: [{ from: 1, to: null }],
  first_seen_at: null,
  last_seen: null,
  snapshot: null,
  merged_into: null,
});
const document = (seq: number): SbomVersionDocument => {
  const { sbom_id, ...rest } = sbomVersion(seq, 'digest');
  return { _id: sbom_id, ...service, ...rest };
};
const before: StoredService = {
  state: {
    _id: 'service',
    project_id: 'project',
    version: 7,
    head: sbomVersion(2, 'digest'),
    revision: 3,
  },
  vulnerabilities: [],
};
const change: ServiceChange = {
  ...service,
  head: sbomVersion(3, 'digest'),
  revision: 5,
  newest: 5,
  replacedVersions: [],
  vulnerabilities: [
    vulnerability('a', 'fixed'),
    vulnerability('b', 'open'),
    vulnerability('c', 'fixed'),
    vulnerability('d', 'open'),
    vulnerability('e', 'open'),
  ],
  newVersions: [document(3)],
  lastFindings: { hash: 'hash', epoch: 0 },
  counts: { high: 3 },
};

test('a change that fits into one transaction is one unchanged part', () => {
  expect(splitChange(before, change, 5)).toEqual([change]);
});

test('what is gone afterwards comes last: a vulnerability may be merged into one of a later part', () => {
  const statuses = ['merged', 'vanished', 'fixed', 'accepted', 'open'] as const;
  const vulnerabilities = statuses.map((status) => vulnerability(status, status));
  const parts = splitChange(before, { ...change, vulnerabilities }, 2);
  expect(parts.flatMap((part) => part.vulnerabilities.map(({ id }) => id))).toEqual(
    [...statuses].reverse(),
  );
});

test('open vulnerabilities come first, and each comes once', () => {
  const parts = splitChange(before, change, 2);
  expect(parts.map(({ vulnerabilities }) => vulnerabilities.map(({ id }) => id))).toEqual([
    ['b', 'd'],
    ['e', 'a'],
    ['c'],
  ]);
});

test('what holds for all vulnerabilities only is set by the last part', () => {
  const parts = splitChange(before, change, 2);
  expect(
    parts.map(({ revision, lastFindings, counts, pendingUpdates }) => [
      revision,
      lastFindings,
      counts,
      pendingUpdates,
    ]),
  ).toEqual([
    [3, undefined, undefined, { began: 7, removing: [] }],
    [3, undefined, undefined, { began: 7, removing: [] }],
    [5, { hash: 'hash', epoch: 0 }, { high: 3 }, undefined],
  ]);
  // A vulnerability that stands on it is there from the first part on.
  expect(parts.map(({ newest }) => newest)).toEqual([5, 5, 5]);
});

test('new versions come first, removed ones go last, and the head exists all the time', () => {
  const joining = splitChange(before, change, 2);
  expect(joining.map(({ newVersions }) => newVersions?.length)).toEqual([1, 0, 0]);
  expect(joining.map(({ head }) => head?.seq)).toEqual([3, 3, 3]);
  const tombstone = { _id: 'sbom-2', ...service, removed: true as const };
  const removal = {
    ...change,
    newVersions: [],
    replacedVersions: [tombstone, document(1)],
    head: sbomVersion(1, 'digest'),
  };
  const removing = splitChange(before, removal, 2);
  expect(removing.map(({ replacedVersions }) => replacedVersions)).toEqual([
    [document(1)],
    [],
    [tombstone],
  ]);
  expect(removing.map(({ head }) => head?.seq)).toEqual([2, 2, 1]);
  expect(removing.map(({ pendingUpdates }) => pendingUpdates)).toEqual([
    { began: 7, removing: ['sbom-2'] },
    { began: 7, removing: ['sbom-2'] },
    undefined,
  ]);
});
