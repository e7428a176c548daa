import fc from 'fast-check';
import { cleanText, jsonText, shortened } from './clean-text';
import { table } from './table';

/** What a runner takes for a command: GitHub's two forms, Azure Pipelines, TeamCity. */
const command = /##\w*\[|(^|\n)\s*::/;
const marks = fc.constantFrom('#', ':', '[', 'vso[', ']', 'add-mask', ' ', '\n', '\u200e', 'a');
const nasty = fc.array(marks, { maxLength: 12 }).map((parts) => parts.join(''));

test.each([
  ['##[add-mask]x', '# #[add-mask]x'],
  ['a ##vso[task.setvariable variable=k]v', 'a # #vso[task.setvariable variable=k]v'],
  ['##teamcity[buildStop]', '# #teamcity[buildStop]'],
  ['::add-mask::x', ': :add-mask: :x'],
  ['\u001b[31mred\r\nnext', '[31mred next'],
  ['C# and F##', 'C# and F##'],
])('%j is printed as %j', (text, expected) => {
  expect(cleanText(text)).toBe(expected);
});

test('no text becomes a command, whole, shortened, or in a table', () => {
  fc.assert(
    fc.property(nasty, nasty, (one, other) => {
      expect(cleanText(one)).not.toMatch(command);
      expect(shortened(one, 6)).not.toMatch(command);
      expect(table(['one', 'other'], [[other, one]])).not.toMatch(command);
    }),
  );
});

test('JSON keeps every value and holds no command', () => {
  fc.assert(
    fc.property(fc.array(nasty), fc.dictionary(nasty, nasty), (list, fields) => {
      const value = { list, ...fields };
      expect(JSON.parse(jsonText(value))).toEqual(value);
      expect(jsonText(value)).not.toMatch(command);
    }),
  );
});
