import { withChosen } from './with-chosen';

test('what is chosen is always a choice', () => {
  const choices = [
    ['', 'All'],
    ['a', 'A'],
  ] as const;
  expect(withChosen<string>(choices, 'a')).toBe(choices);
  expect(withChosen<string>(choices, 'b')).toEqual([...choices, ['b', '…']]);
});
