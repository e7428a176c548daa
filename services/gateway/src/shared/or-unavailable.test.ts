import { MongoNetworkError, MongoServerError } from 'mongodb';
import { orUnavailable } from './or-unavailable';

const unavailable = { code: 'service_unavailable' };

test('what the database answers is passed on', async () => {
  expect(await orUnavailable(Promise.resolve(7))).toBe(7);
});

test('a database that hangs or is away makes the product unavailable, not broken', async () => {
  await expect(orUnavailable(new Promise(() => {}), 5)).rejects.toMatchObject(unavailable);
  const away = Promise.reject(new MongoNetworkError('closed'));
  await expect(orUnavailable(away)).rejects.toMatchObject(unavailable);
});

test('so does one that is choosing another primary', async () => {
  const choosing = new MongoServerError({ message: 'not primary', code: 10107 });
  await expect(orUnavailable(Promise.reject(choosing))).rejects.toMatchObject(unavailable);
});

test('another error stays what it is', async () => {
  const error = new Error('a mistake of ours');
  await expect(orUnavailable(Promise.reject(error))).rejects.toBe(error);
});
