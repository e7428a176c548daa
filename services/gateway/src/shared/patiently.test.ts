import { AppError } from '@bomtrail/messages';
import { patiently } from './patiently';

const patience = { forMs: 200, pauseMs: 1 };

function failing(times: number, error: Error): { work: () => Promise<number>; calls(): number } {
  let calls = 0;
  const work = async (): Promise<number> => {
    calls += 1;
    if (calls <= times) throw error;
    return calls;
  };
  return { work, calls: () => calls };
}

test('what fails while a service is unavailable is done when it is back', async () => {
  const { work } = failing(3, new AppError('service_unavailable'));
  expect(await patiently(work, patience)).toBe(4);
});

test('a service that stays away is an error in the end', async () => {
  const { work, calls } = failing(Infinity, new AppError('service_unavailable'));
  await expect(patiently(work, patience)).rejects.toMatchObject({ code: 'service_unavailable' });
  expect(calls()).toBeGreaterThan(2);
});

test.each([new AppError('project_not_found'), new Error('broken')])(
  '%s is not tried again',
  async (error) => {
    const { work, calls } = failing(1, error);
    await expect(patiently(work, patience)).rejects.toBe(error);
    expect(calls()).toBe(1);
  },
);
