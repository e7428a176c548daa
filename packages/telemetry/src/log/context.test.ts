import { currentContext, withContext } from './context';

const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

test('a caller’s request id and trace go on; what is missing or malformed is made anew', () => {
  withContext({ requestId: 'job-42', traceparent }, () => {
    expect(currentContext()).toEqual({ requestId: 'job-42', traceparent });
  });
  withContext({ requestId: 'with space', traceparent: '00-nonsense' }, () => {
    expect(currentContext()?.requestId).toMatch(/^[0-9a-f]{24}$/);
    expect(currentContext()?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
  });
  expect(currentContext()).toBeUndefined();
});
