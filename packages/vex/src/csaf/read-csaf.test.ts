import { readVex } from '../read-vex';

const at = '2026-01-02T03:04:05.000Z';

/** A valid document with a status and the version of its newest revision. */
function csaf(status: string, version: string): Buffer {
  const document = {
    category: 'csaf_base',
    csaf_version: '2.0',
    publisher: { category: 'vendor', name: 'Example', namespace: 'https://example.com' },
    title: 'Test',
    tracking: {
      current_release_date: at,
      id: 'test',
      initial_release_date: at,
      revision_history: [{ date: at, number: version, summary: 'Test.' }],
      status,
      version,
    },
  };
  return Buffer.from(JSON.stringify({ document }));
}

test.each([
  ['draft', '0'],
  ['draft', '1'],
])('a document with the status %s and the version %s is refused', (status, version) => {
  expect(readVex(csaf(status, version), { statements: 1 })).toMatchObject({
    ok: false,
    code: 'invalid_vex',
    detail: expect.stringContaining('is a draft') as string,
  });
});

test.each(['interim', 'final'])('a document with the status %s is read', (status) => {
  expect(readVex(csaf(status, '1'), { statements: 1 })).toMatchObject({ ok: true });
});
