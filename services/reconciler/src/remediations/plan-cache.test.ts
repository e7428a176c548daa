import { eventually } from '@bomtrail/testkit';
import { createPlanCache, type WholePlan } from './plan-cache';

const plan: WholePlan = { views: [], complete: true };

function counting() {
  let calls = 0;
  const compute = async (): Promise<WholePlan> => {
    calls += 1;
    return plan;
  };
  return { compute, calls: () => calls };
}

test('pages of a plan compute it once, also at the same time', async () => {
  const cache = createPlanCache();
  const { compute, calls } = counting();
  await Promise.all([cache.get('a', compute), cache.get('a', compute)]);
  await cache.get('a', compute);
  expect(calls()).toBe(1);
  await cache.get('b', compute);
  expect(calls()).toBe(2);
});

test('a plan is computed again after its time', async () => {
  const cache = createPlanCache(10);
  const { compute, calls } = counting();
  await eventually(
    async () => {
      await cache.get('a', compute);
      return calls() === 2;
    },
    { what: 'the plan is computed again' },
  );
});

test('a failure is not kept', async () => {
  const cache = createPlanCache();
  await expect(cache.get('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  const { compute, calls } = counting();
  await cache.get('a', compute);
  expect(calls()).toBe(1);
});
