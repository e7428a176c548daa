import { silentImportMs, statusOfImport } from './import-status';

const updated_at = new Date('2026-03-03T08:00:00Z');
const after = (ms: number) => new Date(updated_at.getTime() + ms);

test('IM7: a running import is interrupted once it has reported nothing for 30 minutes', () => {
  const running = { status: 'running' as const, updated_at };
  expect(silentImportMs).toBe(1_800_000);
  expect(statusOfImport(running, after(silentImportMs))).toBe('running');
  expect(statusOfImport(running, after(silentImportMs + 1))).toBe('interrupted');
});

test.each(['finished', 'failed'] as const)('IM7: %s stays', (status) => {
  expect(statusOfImport({ status, updated_at }, after(10 * silentImportMs))).toBe(status);
});
