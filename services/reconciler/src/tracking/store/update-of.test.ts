import { updateOf } from './update-of';

const makeStored = () => ({
  status: 'open',
  found: { package_version: '1.0.0', fixed_versions: ['2.0.0'], is_root: true },
  presence: [{ from: 1, to: null }],
  first_seen_at: new Date(1),
  last_seen: { sbom_id: 'a', at: new Date(1) },
});
const stored = makeStored();

describe('the update to another document', () => {
  test('names the fields that differ, within embedded documents too', () => {
    const { is_root: _former, ...found } = stored.found;
    const after = { ...stored, status: 'fixed', found: { ...found, package_version: '1.1.0' } };
    expect(updateOf(stored, after)).toEqual({
      $set: { status: 'fixed', 'found.package_version': '1.1.0' },
      $unset: { 'found.is_root': true },
    });
  });

  test('replaces lists and dates, and adds and removes embedded documents as a whole', () => {
    const { last_seen: _former, ...rest } = stored;
    const decided = { id: 'b' };
    const presence = [{ from: 1, to: 2 }];
    const after = { ...rest, decided, presence, first_seen_at: new Date(2) };
    expect(updateOf(stored, after)).toEqual({
      $set: { decided, presence, first_seen_at: new Date(2) },
      $unset: { last_seen: true },
    });
  });

  test('is none if the documents are equal', () => {
    expect(updateOf(stored, makeStored())).toBeNull();
  });
});
