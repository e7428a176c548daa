import {
  effectiveOwnership,
  isOwned,
  ownershipChanges,
  ownershipKeys,
  storedOwnership,
} from './ownership';

const keysOf = (filter: Parameters<typeof ownershipKeys>[0]) => ownershipKeys(filter) ?? {};

test('OW1: an owner is stored trimmed; an empty one clears, an absent one stays', () => {
  expect(ownershipChanges({ owner: ' Team Käse ' })).toEqual({
    owner: 'Team Käse',
    owner_key: 'team käse',
  });
  expect(ownershipChanges({ owner: null })).toEqual({ owner: undefined, owner_key: undefined });
  expect(ownershipChanges({ owner: '  ' })).toEqual({ owner: undefined, owner_key: undefined });
  expect(ownershipChanges({})).toEqual({});
});

test('OW2: equal labels count once, as the first was written; none clears', () => {
  expect(ownershipChanges({ labels: [' PCI', 'pci', 'internet facing'] })).toEqual({
    labels: ['PCI', 'internet facing'],
    label_keys: ['pci', 'internet facing'],
  });
  expect(ownershipChanges({ labels: [] })).toEqual({ labels: undefined, label_keys: undefined });
  expect(ownershipChanges({ labels: null })).toEqual({ labels: undefined, label_keys: undefined });
});

test.each([
  ['its own owner comes first', { owner: 'a' }, { owner: 'b' }, 'a'],
  ['else that of the project', {}, { owner: 'b' }, 'b'],
  ['neither has one', {}, {}, undefined],
])('OW3: %s', (...[, service, project, owner]) => {
  const found = effectiveOwnership(storedOwnership(service), storedOwnership(project));
  expect(found.owner).toBe(owner);
});

test('OW3: a service has the labels of its project too, equal ones once', () => {
  const service = storedOwnership({ labels: ['pci', 'web'] });
  const project = storedOwnership({ labels: ['Web', 'eu'] });
  expect(effectiveOwnership(service, project).labels).toEqual(['pci', 'web', 'eu']);
});

test.each([
  ['the owner, in any case', { owner: 'TEAM a' }, true],
  ['another owner', { owner: 'team b' }, false],
  ['one of several labels', { labels: ['none', 'PCI'] }, true],
  ['no label', { labels: ['none'] }, false],
  ['owner and label', { owner: 'team a', labels: ['pci'] }, true],
  ['owner without the label', { owner: 'team a', labels: ['eu'] }, false],
])('OW4: a filter names %s', (_, filter, selected) => {
  const of = storedOwnership({ owner: 'Team A', labels: ['pci', 'web'] });
  expect(isOwned(of, keysOf(filter))).toBe(selected);
});

test.each([
  ['with an owner', { has_owner: true }, true],
  ['without one', { has_owner: false }, false],
  ['with an owner and a label', { has_owner: true, labels: ['eu'] }, false],
])('OW6: a filter asks for services %s', (_, filter, selected) => {
  const of = storedOwnership({ owner: 'Team A', labels: ['pci'] });
  expect(isOwned(of, keysOf(filter))).toBe(selected);
  expect(isOwned(storedOwnership({ labels: ['eu'] }), keysOf(filter))).toBe(!filter.has_owner);
});

test('a filter without owner and labels is none', () => {
  expect(ownershipKeys({})).toBeUndefined();
  expect(ownershipKeys({ owner: ' ' })).toBeUndefined();
});
