import { isLoopBlocked, judgeResponses, judgeProcesses, tally } from './judge';

const answer = (status: string, code: string | null = null) => ({ status, code });

test('an answer is right when it is one of those expected, code included', () => {
  const expected = ['413 payload_too_large'];
  expect(judgeResponses([answer('413', 'payload_too_large')], expected)).toEqual([]);
  expect(judgeResponses([answer('413', 'too_many_components')], expected)).toHaveLength(1);
  expect(judgeResponses([answer('413')], expected)).toEqual(['answered 413']);
  expect(judgeResponses([answer('closed')], expected)).toEqual(['answered closed']);
});

test('of mutants any refusal with a code will do, but no other failure than the decided 503', () => {
  const right = [answer('400', 'malformed_json'), answer('422', 'x_y')];
  const decided = answer('503', 'service_unavailable');
  const wrong = [answer('400'), answer('500', 'internal_error'), answer('closed')];
  for (const [accepted, other] of [['201', '200'] as const, ['200', '201'] as const]) {
    const expected = `${accepted} or any refusal` as const;
    expect(judgeResponses([answer(accepted), ...right, decided], expected)).toEqual([]);
    const allWrong = [...wrong, answer(other)];
    expect(judgeResponses([...right, ...allWrong], expected)).toHaveLength(allWrong.length);
  }
});

test('a process that is gone, another one now, or larger than 1 GiB is a problem', () => {
  const before = [{ name: 'ingest', pid: 1 }];
  const judged = (after: { name: string; pid: number; peakRssBytes: number }[]): string[] =>
    judgeProcesses(before, after);
  expect(judged([{ name: 'ingest', pid: 1, peakRssBytes: 1024 ** 3 }])).toEqual([]);
  expect(judged([{ name: 'ingest', pid: 2, peakRssBytes: 0 }])).toEqual(['ingest was restarted']);
  expect(judged([])).toEqual(['ingest was restarted']);
  const large = [{ name: 'ingest', pid: 1, peakRssBytes: 1024 ** 3 + 1 }];
  expect(judged(large)).toEqual(['ingest passed 1 GiB']);
});

test('a loop that came late while others had the core was not blocked', () => {
  expect(isLoopBlocked({ loop: { lateMs: 300, cpuMs: 100 } })).toBe(false);
  expect(isLoopBlocked({ loop: { lateMs: 110, cpuMs: 110 } })).toBe(true);
});

test('equal texts are counted', () => {
  expect(tally(['a', 'b', 'a'])).toEqual({ a: 2, b: 1 });
});
