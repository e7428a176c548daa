import { ApiError, sendForCsv, sendForJson } from './http';

const call = (status: number, body: string, headers = {}): Promise<unknown> =>
  sendForJson(
    {
      baseUrl: 'http://bomtrail.example',
      apiKey: 'bt_x',
      fetch: () => Promise.resolve(new Response(body, { status, headers })),
    },
    { path: '/api/v1/projects' },
  ).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
    return [error.status, error.code, error.detail];
  });

test.each([
  [404, '{"detail":"No such SBOM.","code":"sbom_not_found"}', 'No such SBOM.'],
  [422, '{"detail":[{"loc":["body","name"],"msg":"Is missing"}]}', 'name: Is missing.'],
])('an error %i of the API has a sentence and its code, if any', async (status, body, sentence) => {
  const { code = null } = JSON.parse(body) as { code?: string };
  expect(await call(status, body)).toEqual([status, code, sentence]);
});

test('the delay that the server asks for is in the text, not the name of its header', async () => {
  const detail = 'Too many requests: wait for the seconds in Retry-After.';
  const body = JSON.stringify({ detail, code: 'rate_limited' });
  expect(await call(429, body, { 'retry-after': '17' })).toEqual([
    ...[429, 'rate_limited', 'Too many requests: wait for 17 s.'],
  ]);
  expect(await call(429, body)).toEqual([429, 'rate_limited', detail]);
});

test.each([
  [403, '{"message":"Forbidden"}'],
  [404, '{"code":404,"message":"no route"}'],
  [503, '{"error":{"reason":"no upstream"}}'],
  [502, '<h1>Bad Gateway</h1>'],
  [200, '<html>Sign in</html>'],
  [200, ''],
  [200, '"ok"'],
  [200, 'null'],
])(
  'an answer %i that the API cannot have sent has its text and no code: %s',
  async (status, body) => {
    expect(await call(status, body)).toEqual([status, null, body]);
  },
);

test('a list and an object are read as they are', async () => {
  expect([await call(200, '[1]'), await call(201, '{"id":"1"}')]).toEqual([[1], { id: '1' }]);
});

test.each([
  ['{"hello":1}', []],
  ['[]', []],
  ['', []],
  ['{"items":[]}', [{ items: [] }]],
])(
  'an answer without a field that the API always sends is of another program: %s',
  async (...[body, read]) => {
    const status = body === '' ? 204 : 200;
    const fetch = () => Promise.resolve(new Response(body || null, { status }));
    const target = { baseUrl: 'http://bomtrail.example', apiKey: 'bt_x', fetch };
    const results = await Promise.allSettled([
      sendForJson<{ items: unknown[] }>(target, { path: '/api/v1/projects' }, 'items'),
    ]);
    expect(results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))).toEqual(read);
  },
);

test('a list as CSV is no page of a proxy', async () => {
  const read = async (type: string): Promise<string[]> => {
    const response = new Response('a,b', { headers: { 'content-type': type } });
    const fetch = () => Promise.resolve(response);
    const target = { baseUrl: 'http://bomtrail.example', apiKey: 'bt_x', fetch };
    const parts: string[] = [];
    for await (const part of sendForCsv(target, { path: '/api/v1/projects' })) parts.push(part);
    return parts;
  };
  expect((await read('text/csv; charset=utf-8')).join('')).toBe('a,b');
  await expect(read('text/html')).rejects.toMatchObject({ status: 200, code: null });
});

test.each(['../../projects/1', '..', 'a?b', 'a#b', 'a\\b', 'é'])(
  'an id that would make it another call is not sent: %s',
  async (id) => {
    const fetch = jest.fn();
    const target = { baseUrl: 'http://bomtrail.example/below', apiKey: 'bt_x', fetch };
    const path = `/api/v1/vulnerabilities/acceptances/${id}`;
    await expect(sendForJson(target, { method: 'DELETE', path })).rejects.toThrow('invalid id');
    expect(fetch).not.toHaveBeenCalled();
  },
);
