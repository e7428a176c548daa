import { planRelease } from './release-plan';

const modules = Array.from({ length: 201 }, (_, n) => `module-${n}`);
const fixable = [1, 1, 2, 3, 1, 2].map((findings, n) => ({ module: `module-${n * 9}`, findings }));
const plans = Array.from({ length: 1000 }, (_, service) =>
  planRelease({ service, release: 1 }, modules, fixable),
);

test('3 to 20 different modules move, and every number of them occurs', () => {
  const counts = plans.map(({ moved, switched }) => {
    const all = [...moved, ...switched.map(({ module }) => module)];
    expect(new Set(all).size).toBe(all.length);
    return all.length;
  });
  expect([...new Set(counts)].sort((a, b) => a - b)).toEqual(
    Array.from({ length: 18 }, (_, n) => n + 3),
  );
});

test('0 to 3 findings change, and every number of them occurs', () => {
  const changed = plans.map(({ switched }) => switched.reduce((sum, one) => sum + one.findings, 0));
  expect([...new Set(changed)].sort()).toEqual([0, 1, 2, 3]);
});

test('every module takes its turn', () => {
  const touched = plans.flatMap(({ moved, switched }) => [
    ...moved,
    ...switched.map(({ module }) => module),
  ]);
  expect(new Set(touched).size).toBe(modules.length);
});

test('without fixable modules no finding changes', () => {
  expect(planRelease({ service: 3, release: 0 }, modules, []).switched).toEqual([]);
});
