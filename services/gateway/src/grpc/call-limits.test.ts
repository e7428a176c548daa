import fc from 'fast-check';
import { createCallCount } from './call-limits';

const at = (client: string, connection = client) => ({ client, connection });

test('a call beyond a limit is refused until one before it ends, however often that is said', () => {
  const count = createCallCount({ total: 3, perClient: 2, perConnection: 1 });
  const leave = count.enter(at('a', 'a:1'));
  expect(count.enter(at('a', 'a:1'))).toBeNull();
  expect(count.enter(at('a', 'a:2'))).not.toBeNull();
  expect(count.enter(at('a', 'a:3'))).toBeNull();
  expect(count.enter(at('b'))).not.toBeNull();
  expect(count.enter(at('c'))).toBeNull();
  leave?.();
  leave?.();
  expect(count.enter(at('c'))).not.toBeNull();
  expect(count.enter(at('d'))).toBeNull();
});

test('whatever opens and ends, one client never takes the places of others', () => {
  const calls = fc.array(fc.constantFrom('greedy', 'end'), { maxLength: 100 });
  fc.assert(
    fc.property(calls, (steps) => {
      const count = createCallCount({ total: 4, perClient: 3, perConnection: 3 });
      const open: (() => void)[] = [];
      for (const step of steps) {
        const entered = step === 'end' ? null : count.enter(at('greedy'));
        if (entered) open.push(entered);
        if (step === 'end') open.shift()?.();
      }
      expect(open.length).toBeLessThanOrEqual(3);
      expect(count.enter(at('modest'))).not.toBeNull();
    }),
  );
});
