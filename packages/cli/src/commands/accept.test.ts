import { createApiClient } from '@bomtrail/api-client';
import type { Context } from '../context';
import { accept } from './accept';

const id = '01a222bc-1cde-7280-9cf9-8b03d67647df';

/** A project in which a decision exists already, and so many rows that are in triage. */
function contextOf(inTriage: number): Context & { asked: URL[] } {
  const asked: URL[] = [];
  const fetch = async (url: URL, { method = 'GET' }: { method?: string } = {}) => {
    asked.push(url);
    if (method === 'POST')
      return Response.json({ detail: 'Exists.', code: 'acceptance_exists' }, { status: 409 });
    if (url.pathname.endsWith(id)) return Response.json({ id, cve_id: 'CVE-1' });
    const isTriage = url.searchParams.get('decision') === 'in_triage';
    return Response.json({ items: [{ id }], total: isTriage ? inTriage : 1 });
  };
  const api = createApiClient({ baseUrl: 'http://bomtrail.example', apiKey: 'bt_x', fetch });
  return { api, asked, settings: { project: id } } as unknown as Context & { asked: URL[] };
}

const options = { vulnerability: 'GHSA-1', reason: 'r', expires: undefined, json: false };

test('what is accepted already stays so, whatever was decided', async () => {
  const context = contextOf(0);
  const { exitCode, line } = await accept(context, options);
  expect([exitCode, line]).toEqual([0, expect.stringContaining('already accepted')]);
  expect(context.asked[0]?.searchParams.get('status')).toContain('not_affected');
});

test('what is in triage is not called accepted', async () => {
  await expect(accept(contextOf(1), options)).rejects.toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('leaves it open'),
  });
});
