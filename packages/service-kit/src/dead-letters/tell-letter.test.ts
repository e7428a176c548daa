import { encodeFrame } from '../bus/frame';
import { tellLetter, tellLetterAsJson, tellWholeLetter } from './tell-letter';

const letter = {
  ...{ id: 7, at: new Date(0), consumer: 'scanner-uploads', subject: 'a.b', attempts: 8 },
  ...{
    reason: 'broken \u001b[2J',
    body: encodeFrame({ json: { a: 'ü\u0007' }, attachment: null }),
  },
};
const unreadable = { ...letter, body: Buffer.from([1, 2, 255]) };

test('a letter is one line that no terminal obeys', () => {
  expect(tellLetter(letter)).toBe(
    '7  1970-01-01T00:00:00.000Z  scanner-uploads  8 attempts  a.b  broken ?[2J',
  );
});

test('shown whole it has its message last, and bytes where it cannot be read', () => {
  expect(tellWholeLetter(letter).slice(-2)).toEqual([
    'reason: broken ?[2J',
    'message: {"a":"ü\\u0007"}',
  ]);
  expect(tellWholeLetter(unreadable).at(-1)).toBe('bytes, as base64: AQL/');
});

test('for scripts it is a JSON object', () => {
  const { reason } = letter;
  const told: unknown = JSON.parse(tellLetterAsJson(letter));
  expect(told).toMatchObject({ id: 7, at: '1970-01-01T00:00:00.000Z', reason });
  expect(told).toMatchObject({ message: { a: 'ü\u0007' } });
  expect(JSON.parse(tellLetterAsJson(unreadable))).toMatchObject({ base64: 'AQL/' });
});
