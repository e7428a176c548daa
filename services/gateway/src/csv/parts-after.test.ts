import { AppError } from '@bomtrail/messages';
import { partsAfter } from './csv-reply';

const gone = new AppError('service_unavailable');

async function all(read: Parameters<typeof partsAfter<string, number>>[0]): Promise<string[]> {
  const items: string[] = [];
  for await (const part of partsAfter(read)) items.push(...part);
  return items;
}

test('a list is read on after a part that failed while a service was unavailable', async () => {
  let failed = false;
  const items = await all(async (after) => {
    if (after === 1 && !failed) {
      failed = true;
      throw gone;
    }
    return { items: [`part ${after ?? 0}`], next: after === null ? 1 : null };
  });
  expect(failed).toBe(true);
  expect(items).toEqual(['part 0', 'part 1']);
});

test('a first part that fails is the response', async () => {
  let calls = 0;
  const read = async (): Promise<never> => {
    calls += 1;
    throw gone;
  };
  await expect(all(read)).rejects.toBe(gone);
  expect(calls).toBe(1);
});
