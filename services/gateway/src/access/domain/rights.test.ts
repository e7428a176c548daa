import { loadContract } from '@bomtrail/api-contract';
import type { Scope } from '../../api-keys/domain/api-key';
import { operationRights } from './operation-rights';
import { rightsOfRole, rightsOfScopes, rolesWith, scopesWith, type Right } from './rights';

const contract = loadContract();

test('every operation of the contract has its right, and there is no other one', () => {
  expect(Object.keys(operationRights).sort()).toEqual([...contract.operations.keys()].sort());
});

const changes: readonly Right[] = [
  'own-keys',
  'upload',
  'decide',
  'manage',
  'create-project',
  'keys',
  'administer',
];

test('no right to read allows a change, and the other way round', () => {
  for (const [id, right] of Object.entries(operationRights)) {
    const { readOnly } = contract.operations.get(id) ?? { readOnly: true };
    const isChange = right !== null && changes.includes(right);
    // A list of keys, of decisions for all, and the audit log are for those who may change them.
    if (!readOnly) expect([id, isChange]).toEqual([id, true]);
  }
});

test('the scopes of keys allow what they always did', () => {
  const allowed = (scope: Scope) => {
    const has = rightsOfScopes([scope]);
    return Object.entries(operationRights).flatMap(([id, right]) =>
      right !== null && has.has(right) ? [id] : [],
    );
  };
  const sbomReads = ['getOwnApiKey', 'getMe', 'getSbom', 'getSbomVerdict', 'listSbomCoverage'];
  expect(allowed('upload')).toEqual([...sbomReads, 'uploadSbom', 'checkSbom']);
  const reads = allowed('read').map((id) => contract.operations.get(id)?.readOnly);
  expect(new Set(reads)).toEqual(new Set([true]));
  const writes = allowed('write').filter((id) => !['getOwnApiKey', 'getMe'].includes(id));
  expect(new Set(writes.map((id) => contract.operations.get(id)?.readOnly))).toEqual(
    new Set([false]),
  );
  const none = rightsOfScopes([]);
  // A key has no keys of its own.
  const all = Object.values(operationRights).filter(
    (right) => right !== null && right !== 'own-keys',
  ) as Right[];
  expect(all.filter((right) => !none.has(right))).toEqual([]);
});

test.each<[Right, string, string]>([
  ['read', 'read', 'viewer triager uploader maintainer administrator'],
  ['read-sbom', 'read upload', 'viewer triager uploader maintainer administrator'],
  ['upload', 'upload', 'uploader maintainer administrator'],
  ['decide', 'write', 'triager maintainer administrator'],
  ['manage', 'write', 'maintainer administrator'],
  ['create-project', 'write', 'administrator'],
  ['keys', 'admin', 'maintainer administrator'],
  ['own-keys', '', 'viewer triager uploader maintainer administrator'],
  ['audit', 'admin', 'administrator'],
  ['administer', 'admin', 'administrator'],
])('%s: scope %s, role %s', (right, scopes, roles) => {
  expect(scopesWith(right).join(' ')).toBe(scopes);
  expect(rolesWith(right).join(' ')).toBe(roles);
});

test('every role contains the one that only reads', () => {
  for (const rights of Object.values(rightsOfRole))
    expect(rightsOfRole.viewer.every((right) => rights.includes(right))).toBe(true);
});
