import { expect, test } from '@jest/globals';
import { MongoServerError } from 'mongodb';
import { refusedUser } from './errors';

test('a user without rights is named without the command that MongoDB repeats', () => {
  const message =
    'not authorized on bomtrail_ingest to execute command { find: "documents", lsid: { id: 1 } }';
  expect(refusedUser(new MongoServerError({ message, code: 13 }))).toBe(
    'MongoDB refuses the user (not authorized on bomtrail_ingest): check MONGODB_USERNAME and MONGODB_PASSWORD.',
  );
  expect(refusedUser(new MongoServerError({ message, code: 11000 }))).toBeUndefined();
  expect(refusedUser(new Error(message))).toBeUndefined();
});
