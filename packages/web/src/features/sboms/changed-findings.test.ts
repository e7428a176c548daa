import { changedFindings } from './changed-findings';

test('what both have is neither new nor gone', () => {
  const one = { id: '1' };
  const two = { id: '2' };
  const three = { id: '3' };
  expect(changedFindings([one, two], [two, three])).toEqual({ opened: [three], gone: [one] });
  expect(changedFindings([one], [one])).toEqual({ opened: [], gone: [] });
});
