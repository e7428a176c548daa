import type { Logger } from '@bomtrail/telemetry';
import type { Caller } from '../api-keys/domain/caller';
import type { AuditCompletion, AuditEntryDocument } from './store/audit-store';
import { createAuditTrail, type CallToAudit } from './audit-calls';

const now = () => new Date('2026-03-02T09:15:00.000Z');
const id = (n: number) => `0197c1a0-5b7e-7c3a-9d40-00000000000${n}`;
const caller: Caller = {
  id: id(1),
  identity: { kind: 'key', prefix: 'ci0webshop00', name: 'CI', scopes: [] },
  grants: [],
  projects: 'all',
  expiresAt: null,
};
const call: CallToAudit = {
  caller,
  protocol: 'rest',
  operation: 'deleteSbom',
  method: 'DELETE',
  path: '/x',
  client: null,
};

/** A trail over a store whose writes the test lets go. */
function given() {
  const harness = {
    entries: [] as AuditEntryDocument[],
    completions: [] as AuditCompletion[],
    logged: [] as string[],
    insert: async (): Promise<void> => {},
    complete: async (): Promise<void> => {},
    projectOf: async (): Promise<string | null> => null,
  };
  const log = { error: (_fields: object, message: string) => harness.logged.push(message) };
  const trail = createAuditTrail({
    now,
    log: log as unknown as Logger,
    projectOf: () => harness.projectOf(),
    audit: {
      insert: async (entry) => {
        await harness.insert();
        harness.entries.push(entry);
      },
      complete: async (completion) => {
        await harness.complete();
        harness.completions.push(completion);
      },
    },
  });
  return { harness, trail };
}

function gate(): { open: () => void; passed: Promise<void> } {
  let open: () => void = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { open, passed };
}

test('an entry is inserted without an outcome and completed with it, in this order', async () => {
  const { harness, trail } = given();
  const inserting = gate();
  harness.insert = () => inserting.passed;
  const audited = trail.begin(call);
  audited.about({ sbom_id: id(2).toUpperCase(), name: 'left out', service_id: 'no id' });
  audited.end({ kind: 'responded', status: 204, code: null });
  expect([harness.entries, harness.completions]).toEqual([[], []]);
  inserting.open();
  await trail.idle();
  expect(harness.entries).toMatchObject([{ outcome: null, key: { id: id(1), name: 'CI' } }]);
  expect(harness.completions).toEqual([
    {
      id: harness.entries[0]?._id,
      outcome: { kind: 'responded', status: 204, code: null, at: now() },
      resources: { sbom_id: id(2) },
    },
  ]);
});

test('who waits for the trail waits for the outcome, too', async () => {
  const { harness, trail } = given();
  const completing = gate();
  harness.complete = () => completing.passed;
  trail.begin(call).end({ kind: 'aborted' });
  let idle = false;
  const waiting = trail.idle().then(() => (idle = true));
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  expect(idle).toBe(false);
  completing.open();
  await waiting;
  expect(harness.completions).toHaveLength(1);
});

test('without a stored entry the work does not begin, and nothing is completed', async () => {
  const { harness, trail } = given();
  harness.insert = async () => Promise.reject(new Error('down'));
  const audited = trail.begin(call);
  await expect(audited.stored()).rejects.toMatchObject({ code: 'service_unavailable' });
  audited.end({ kind: 'responded', status: 503, code: 'service_unavailable' });
  await trail.idle();
  expect(harness.completions).toEqual([]);
  expect(harness.logged).toEqual(['Storing an audit entry failed.']);
});

test('whose project a thing is that will be gone is known before the work begins', async () => {
  const { harness, trail } = given();
  harness.projectOf = async () => id(3);
  const audited = trail.begin(call);
  audited.about({ sbom_id: id(2) });
  await audited.stored();
  harness.projectOf = async () => null;
  audited.end({ kind: 'responded', status: 204, code: null });
  await trail.idle();
  expect(harness.completions[0]?.resources).toEqual({ sbom_id: id(2), project_id: id(3) });
});

test('what a bound key does is of its project, whatever it names', async () => {
  const { harness, trail } = given();
  const audited = trail.begin({ ...call, caller: { ...caller, projects: [id(4)] } });
  audited.about({ project_id: id(5) });
  audited.end({ kind: 'responded', status: 404, code: 'project_not_found' });
  await trail.idle();
  expect(harness.entries[0]?.resources).toEqual({ project_id: id(4) });
  expect(harness.completions[0]?.resources).toEqual({ project_id: id(4) });
});
