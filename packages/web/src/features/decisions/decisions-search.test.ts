import { parseDecisionsSearch } from './decisions-search';

const id = '0197c1a0-5b7e-7c3a-9d40-2f6b8f1e0a11';

test.each([
  [{}, {}],
  [
    { project_id: id, decision: 'IN_TRIAGE,odd,not_affected' },
    { project_id: id, decision: 'not_affected,in_triage' },
  ],
  [{ project_id: 'shop', decision: 'accepted' }, {}],
])('of %j is taken what the API knows', (given, expected) => {
  expect(parseDecisionsSearch(given)).toEqual(expected);
});
