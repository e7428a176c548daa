import fc from 'fast-check';
import { anyText } from '../../testing/digests';
import { fitted, oneService, withoutAutolinks } from './free-text';

test('text of others becomes one line of bounded length, without controls and without what reorders or hides text', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 200 }), (text, most) => {
      const line = oneService(text, most);
      expect(line.length).toBeLessThanOrEqual(most);
      expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b\ufeff]/u);
      expect(line).not.toMatch(/\p{Surrogate}/u);
      expect(line).toBe(line.trim());
    }),
  );
});

test.each([
  ['a\r\nb\tc\u2028d', 'a b c d'],
  ['\u202egpj.exe', 'gpj.exe'],
  ['half \ud83d of', 'half \ufffd of'],
  ['org.apache.logging:log4j-core', 'org.apache.logging:log4j-core'],
  ['Größe – 大きさ 👩‍💻', 'Größe – 大きさ 👩‍💻'],
])('%j reads %j', (text, line) => {
  expect(oneService(text, 100)).toBe(line);
});

test('a text that is cut ends with an ellipsis and never within a character', () => {
  expect(oneService('abcdef', 6)).toBe('abcdef');
  expect(oneService('abcdefg', 6)).toBe('abcde…');
  expect(oneService('ab👍👍', 4)).toBe('ab…');
  expect(oneService('ab👍👍', 5)).toBe('ab👍…');
});

test('an escape counts with its length and is never cut', () => {
  const escaped = (character: string) => (character === '&' ? '&amp;' : character);
  expect(fitted('a&b', 7, escaped)).toBe('a&amp;b');
  expect(fitted('a&b', 6, escaped)).toBe('a…');
  expect(fitted('&&', 5, escaped)).toBe('…');
  expect(fitted('', 1, escaped)).toBe('');
});

test('nothing looks like an address to programs that make links of addresses', () => {
  const shown = withoutAutolinks('see https://evil.example, www.evil.example or me@evil.example');
  expect(shown).not.toMatch(/https?:\/\/|www\.|@evil/);
  expect(shown.replace(/\u2060/g, '')).toBe(
    'see https://evil.example, www.evil.example or me@evil.example',
  );
});

test.each(['@babel/core', 'lodash@4.17.21', '@scope/name@1.2.3', 'a:b:1.0', 'socket.io'])(
  '%s stays as it is, for people copy names',
  (text) => {
    expect(withoutAutolinks(text)).toBe(text);
  },
);
