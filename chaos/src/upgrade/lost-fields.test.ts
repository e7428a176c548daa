import { lostFields } from './lost-fields';

const before = { total: 1, items: [{ id: 'a', note: null }], advisory_data: { at: 1 } };

test('an answer with more fields, and other times of feeds, says all that the earlier one said', () => {
  const after = { total: 1, items: [{ id: 'a', note: null, more: 1 }], advisory_data: { at: 2 } };
  expect(lostFields(before, after)).toEqual([]);
});

test('another value, a missing field, and another number of elements are named with their place', () => {
  expect(lostFields(before, { ...before, total: 2 })).toEqual(['.total: 1, now 2']);
  expect(lostFields(before, { ...before, items: [{ id: 'a' }] })).toEqual([
    '.items[0].note: null, now missing',
  ]);
  expect(lostFields(before, { ...before, items: [] })).toEqual([
    '.items: 1 elements, now 0 elements',
  ]);
  expect(lostFields(before, null)).toEqual([': now null']);
});
