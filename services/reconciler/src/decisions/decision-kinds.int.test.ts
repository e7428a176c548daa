import { randomUUID } from 'node:crypto';
import {
  createAcceptance,
  deleteAcceptance,
  listAcceptances,
  readVulnerability,
  updateAcceptance,
  type AcceptanceView,
  type DecisionKind,
} from '@bomtrail/messages';
import type { AcceptanceDocument } from '../tracking/store/documents';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;

beforeAll(async () => {
  harness = await startReconciler({ processes: 2 });
});
afterAll(() => harness?.stop());

const lodash = 'lodash@1.0.0 GHSA-1 CVE-1';
const refused = (code: string) => expect.objectContaining({ code });
type Given = Parameters<typeof createAcceptance.request.parse>[0] & object;

async function newService(project_id?: string): Promise<{ service: TestService; id: string }> {
  const service = new TestService(harness, project_id);
  await service.scanned(harness.newSet(lodash));
  const [row] = await service.documents();
  return { service, id: row?._id ?? '' };
}

async function decide(
  { project_id }: TestService,
  vulnerability_id: string,
  given: Partial<Given> = {},
): Promise<AcceptanceView> {
  const request = { project_id, service_id: null, vulnerability_id, reason: 'r', ...given };
  return (await harness.bus.request(createAcceptance, request)).body;
}

async function change(acceptance_id: string, changes: object): Promise<AcceptanceView> {
  return (await harness.bus.request(updateAcceptance, { acceptance_id, ...changes })).body;
}

async function read(vulnerability_id: string) {
  const query = { vulnerability_id, of_project: null };
  return (await harness.bus.request(readVulnerability, query)).body;
}

const acceptances = () => harness.db.collection<AcceptanceDocument>('acceptances');

/** A decision of a VEX document, as an import stores it, applied by a PATCH-less write of its own. */
async function fromDocument(manual: AcceptanceView, decision: DecisionKind): Promise<string> {
  const stored = await acceptances().findOne({ _id: manual.id });
  if (!stored) throw new Error('It was stored.');
  const { slots: _slots, ...rest } = stored;
  const _id = randomUUID();
  await acceptances().insertOne({ ...rest, _id, decision, source: 'vex', pending: null });
  return _id;
}

test.each<[DecisionKind, string, boolean]>([
  ['risk_accepted', 'accepted', false],
  ['not_affected', 'not_affected', false],
  ['false_positive', 'false_positive', false],
  ['in_triage', 'open', true],
])('DC1: %s gives the status %s', async (decision, status, isListed) => {
  const { service, id } = await newService();
  const { id: acceptance_id } = await decide(service, id, {
    decision,
    ticket_url: 'https://t.example/1',
    assignee: 'kim',
  });
  const record = await read(id);
  expect(record).toMatchObject({
    status,
    decision: {
      acceptance_id,
      decision,
      source: 'manual',
      ticket_url: 'https://t.example/1',
      assignee: 'kim',
    },
  });
  expect(record.timeline.at(-1)).toMatchObject({ acceptance_id, reason: 'r', source: 'manual' });
  expect(await service.activeList()).toHaveLength(isListed ? 1 : 0);
  await harness.bus.request(deleteAcceptance, { acceptance_id });
  expect(await read(id)).toMatchObject({ status: 'open', decision: null });
});

test('a change takes effect at once, and the timeline keeps what it was before', async () => {
  const { service, id } = await newService();
  const first = await decide(service, id, { decision: 'in_triage', assignee: 'kim' });
  const by = { key_id: randomUUID(), key_prefix: 'abcdefghijkl', name: 'Kim' };
  const changed = await change(first.id, {
    decision: 'not_affected',
    justification: 'component_not_present',
    reason: 'only in tests',
    assignee: null,
    updated_by: by,
  });
  expect(changed).toMatchObject({
    id: first.id,
    decision: 'not_affected',
    justification: 'component_not_present',
    reason: 'only in tests',
    assignee: null,
    updated_by: by,
  });
  expect(changed.updated_at > first.updated_at).toBe(true);
  expect(await service.states()).toEqual({ 'lodash GHSA-1': 'not_affected' });
  const { timeline, decision } = await read(id);
  expect(timeline.map(({ event }) => event)).toEqual(['opened', 'in_triage', 'not_affected']);
  expect(decision).toMatchObject({ decision: 'not_affected', assignee: null });
  expect(await change(first.id, { decision: 'risk_accepted' })).toMatchObject({
    justification: null,
  });
});

test('DC3: a change whose justification the decision cannot have is not made', async () => {
  const { service, id } = await newService();
  const made = await decide(service, id);
  const wrong = { justification: 'component_not_present', reason: 'only in tests' };
  expect(await change(made.id, wrong)).toEqual(made);
  expect(await change(made.id, { ...wrong, decision: 'not_affected' })).toMatchObject(wrong);
  const { body } = await harness.bus.request(listAcceptances, {
    project_id: service.project_id,
    page: 1,
    per_page: 1,
  });
  expect(body.items).toMatchObject([wrong]);
});

test('concurrent changes are all made, one after the other', async () => {
  const { service, id } = await newService();
  const { id: acceptance_id } = await decide(service, id);
  const kinds: DecisionKind[] = ['not_affected', 'false_positive', 'in_triage', 'not_affected'];
  await Promise.all(kinds.map((decision) => change(acceptance_id, { decision })));
  const stored = await acceptances().findOne({ _id: acceptance_id });
  const { decision } = await read(id);
  expect(decision?.decision).toBe(stored?.decision);
  expect(stored).toMatchObject({ pending: null });
});

test('what expired, was revoked or comes from a document is not changed', async () => {
  const { service, id } = await newService();
  const manual = await decide(service, id);
  const vex = await fromDocument(manual, 'false_positive');
  await expect(change(vex, { reason: 'x' })).rejects.toEqual(refused('acceptance_from_document'));
  await acceptances().updateOne({ _id: manual.id }, { $set: { expires_at: new Date(0) } });
  await expect(change(manual.id, { expires_at: null })).rejects.toEqual(
    refused('acceptance_expired'),
  );
  await harness.bus.request(deleteAcceptance, { acceptance_id: manual.id });
  await expect(change(manual.id, { reason: 'x' })).rejects.toEqual(refused('acceptance_not_found'));
  await expect(change(vex, { reason: 'x', of_project: randomUUID() })).rejects.toEqual(
    refused('acceptance_not_found'),
  );
});

test('DC2: a person outweighs a document, and the document decides again afterwards', async () => {
  const { service, id } = await newService();
  const manual = await decide(service, id, { decision: 'in_triage' });
  await fromDocument(manual, 'not_affected');
  await change(manual.id, { assignee: 'kim' });
  expect(await service.states()).toEqual({ 'lodash GHSA-1': 'open' });
  await harness.bus.request(deleteAcceptance, { acceptance_id: manual.id });
  expect(await service.states()).toEqual({ 'lodash GHSA-1': 'not_affected' });
});

test('DC2: a decision for some services outweighs one for the project there, and only there', async () => {
  const { service: one, id } = await newService();
  const { service: two } = await newService(one.project_id);
  const { service: three } = await newService(one.project_id);
  await decide(one, id);
  const service_ids = [one.service_id, two.service_id];
  const some = await decide(one, id, { service_ids, decision: 'false_positive' });
  expect(some).toMatchObject({ service_id: null, service_ids });
  expect(await one.states()).toEqual({ 'lodash GHSA-1': 'false_positive' });
  expect(await two.states()).toEqual({ 'lodash GHSA-1': 'false_positive' });
  expect(await three.states()).toEqual({ 'lodash GHSA-1': 'accepted' });
  await expect(decide(one, id, { service_id: two.service_id })).rejects.toEqual(
    refused('acceptance_exists'),
  );
  expect(await decide(one, id, { service_id: three.service_id })).toMatchObject({
    service_id: three.service_id,
    service_ids: [three.service_id],
  });
});

test('lists of decisions are filtered by kind, source and expiry', async () => {
  const { service, id } = await newService();
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  const manual = await decide(service, id, { decision: 'in_triage', expires_at: soon });
  const vex = await fromDocument(manual, 'not_affected');
  const listed = async (filter: object): Promise<string[]> => {
    const page = { project_id: service.project_id, page: 1, per_page: 50 };
    const { body } = await harness.bus.request(listAcceptances, { ...page, ...filter });
    expect(body.total).toBe(body.items.length);
    return body.items.map((one) => one.id).sort();
  };
  expect(await listed({})).toEqual([manual.id, vex].sort());
  expect(await listed({ decision: ['in_triage', 'false_positive'] })).toEqual([manual.id]);
  expect(await listed({ source: 'vex' })).toEqual([vex]);
  expect(await listed({ expires_before: soon })).toEqual([]);
  expect(await listed({ expires_before: '2999-01-01T00:00:00.000Z' })).toHaveLength(2);
  expect(await listed({ expires_after: new Date().toISOString() })).toHaveLength(2);
  expect(await listed({ expires_after: soon })).toEqual([]);
});
