import { keysTable } from './keys-table';

test('keys stand in columns, and what is over, unused or unbound shows', () => {
  const key = {
    id: '0197c1f0-5e4d-7c3b-a091-2c3d4e5f6a7b',
    prefix: 'ci0webshop00',
    name: 'CI\u001b[2J ü',
    scopes: ['read' as const, 'upload' as const],
    project_id: null,
    expires_at: null,
    created_at: '2026-03-02T09:15:10.000Z',
    last_used_at: null,
  };
  const over = { ...key, name: null, scopes: [], expires_at: '2026-03-03T00:00:00.000Z' };
  const table = keysTable([key, over], new Date('2026-03-04T00:00:00.000Z'));
  expect(table.split('\n')).toEqual([
    'ID                                    PREFIX        NAME      SCOPES       PROJECT  CREATED            EXPIRES                   LAST USED',
    '0197c1f0-5e4d-7c3b-a091-2c3d4e5f6a7b  ci0webshop00  CI?[2J ü  read,upload  all      2026-03-02T09:15Z  never                     never',
    '0197c1f0-5e4d-7c3b-a091-2c3d4e5f6a7b  ci0webshop00            all          all      2026-03-02T09:15Z  2026-03-03T00:00Z (over)  never',
  ]);
});
