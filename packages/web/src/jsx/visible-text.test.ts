import { visibleChildren, visibleText } from './visible-text';

test.each([
  ['a\u202ebc', 'a\ufffdbc'],
  ['\u2069\u202e1.2.3\u202c', '\ufffd\ufffd1.2.3\ufffd'],
  ['\u05e9\u05dc\u05d5\u05dd \u200f\u200d', '\u05e9\u05dc\u05d5\u05dd \u200f\u200d'],
])('of %j can be seen what turns the direction, all else is as it was', (text, visible) =>
  expect(visibleText(text)).toBe(visible),
);

test('text is looked for among all children, and nothing else is changed', () => {
  const element = { type: 'b' };
  const children = ['\u202e', [element, '\u2067x'], 3, null, false];
  expect(visibleChildren(children)).toEqual(['\ufffd', [element, '\ufffdx'], 3, null, false]);
  expect(visibleChildren(element)).toBe(element);
});
