import { encodeFrame } from '../frame';
import {
  formatDeadLetter,
  formatDeadLetterAsJson,
  formatDeadLetterInFull,
} from './format-dead-letter';

const letter = {
  id: 7,
  at: new Date(0),
  consumer: 'scanner-uploads',
  subject: 'a.b',
  attempts: 8,
  reason: 'broken \u001b[2J',
  body: encodeFrame({ json: { a: 'ü\u0007' }, attachment: null }),
};
const unreadable = { ...letter, body: Buffer.from([1, 2, 255]) };

test('a dead letter is one line without control characters', () => {
  expect(formatDeadLetter(letter)).toBe(
    '7  1970-01-01T00:00:00.000Z  scanner-uploads  8 attempts  a.b  broken ?[2J',
  );
});

test('the full format ends with the message, or with its bytes if it cannot be decoded', () => {
  expect(formatDeadLetterInFull(letter).slice(-2)).toEqual([
    'reason: broken ?[2J',
    'message: {"a":"ü\\u0007"}',
  ]);
  expect(formatDeadLetterInFull(unreadable).at(-1)).toBe('body (base64): AQL/');
});

test('the JSON format is one object', () => {
  const { reason } = letter;
  const told: unknown = JSON.parse(formatDeadLetterAsJson(letter));
  expect(told).toMatchObject({ id: 7, at: '1970-01-01T00:00:00.000Z', reason });
  expect(told).toMatchObject({ message: { a: 'ü\u0007' } });
  expect(JSON.parse(formatDeadLetterAsJson(unreadable))).toMatchObject({ base64: 'AQL/' });
});
