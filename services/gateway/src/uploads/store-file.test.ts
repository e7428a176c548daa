import { storeFile } from './store-file';

async function* chunks(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('x');
}

test('a folder that takes no file is reported, and is no fault of the request', async () => {
  const reported: (string | undefined)[] = [];
  const onDiskError = ({ code }: NodeJS.ErrnoException): void => void reported.push(code);
  const stored = storeFile(chunks(), { directory: '/no/such', maxBytes: 10, onDiskError });
  await expect(stored).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(reported).toEqual(['ENOENT']);
});
