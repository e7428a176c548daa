import * as messages from '@bomtrail/messages';
import { eventually, layDeadLetter } from '@bomtrail/testkit';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let test_: TestReconciler;

beforeAll(async () => {
  test_ = await startReconciler();
});
afterAll(() => test_?.stop());

type Laid = Parameters<typeof layDeadLetter>[1];

/** A letter of any consumer. */
const lay = (letter: Laid): Promise<number> => layDeadLetter(test_.bus.connection, letter);

const list = async (consumer: string | null, after = 0, limit = 200) =>
  (await test_.bus.request(messages.listDeadLetters, { consumer, after, limit })).body;

/** A letter of the reconciler itself: nobody can decode its message. */
async function givenUp(): Promise<messages.DeadLetterView> {
  const before = (await list('reconciler-uploads')).items.length;
  await test_.bus.connection.jetstream.publish('scan.completed.v1.upload', new Uint8Array([1, 2]));
  return eventually(
    async () => {
      const { items } = await list('reconciler-uploads');
      const letter = items.at(-1);
      if (!letter || items.length === before) throw new Error('not yet');
      return letter;
    },
    { what: 'the message was dead-lettered' },
  );
}

test('a message that was given up is listed with its stream, read, and deleted once', async () => {
  const letter = await givenUp();
  expect(letter).toMatchObject({
    consumer: 'reconciler-uploads',
    service: 'reconciler',
    stream: 'EVENTS',
    subject: 'scan.completed.v1.upload',
    attempts: 1,
  });
  const { id } = letter;
  const { body } = await test_.bus.request(messages.readDeadLetter, { id });
  expect(body).toMatchObject({ letter, message: null, base64: 'AQI=' });
  await test_.bus.request(messages.deleteDeadLetter, { id });
  for (const request of [messages.readDeadLetter, messages.deleteDeadLetter] as const)
    await expect(
      test_.bus.request(request as typeof messages.readDeadLetter, { id }),
    ).rejects.toMatchObject({ code: 'dead_letter_not_found' });
});

test('a replayed message does its work, and its letter is gone', async () => {
  const service = new TestService(test_);
  const scan = service.upload(test_.newSet('a CVE-1'));
  const json = Buffer.from(JSON.stringify(scan));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(json.length);
  const id = await lay({
    consumer: 'reconciler-uploads',
    subject: 'scan.completed.v1.upload',
    body: Buffer.concat([length, json]),
    reason: 'GET https://user:pw@host/x?token=abc failed',
  });
  const { body } = await test_.bus.request(messages.readDeadLetter, { id });
  expect(body).toMatchObject({ message: scan, base64: null });
  expect(body.letter.reason).toBe('GET https://host/x failed');
  await test_.bus.request(messages.replayDeadLetter, { id });
  await eventually(() => test_.reconciled.some((one) => one.sbom_id === scan.sbom_id), {
    what: 'the replayed message is handled',
  });
  await expect(test_.bus.request(messages.replayDeadLetter, { id })).rejects.toMatchObject({
    code: 'dead_letter_not_found',
  });
});

test.each([
  ['gone-consumer', 'scan.completed.v1.upload'],
  ['reconciler-uploads', 'scan.completed.v0.upload'],
  ['reconciler-uploads', 'catalog.delete-project.v1'],
])('a letter of %s about %s is not replayed, only deleted', async (consumer, subject) => {
  const id = await lay({ consumer, subject, body: new Uint8Array([1]) });
  await expect(test_.bus.request(messages.replayDeadLetter, { id })).rejects.toMatchObject({
    code: 'dead_letter_not_replayable',
  });
  expect((await list(consumer)).items.at(-1)).toMatchObject({ id });
  await test_.bus.request(messages.deleteDeadLetter, { id });
});

test('a probe of the stream is no letter', async () => {
  const { jetstream } = test_.bus.connection;
  const { seq: id } = await jetstream.publish(messages.probeSubjectOf('DEAD'), '');
  const unknown = { code: 'dead_letter_not_found' };
  await expect(test_.bus.request(messages.readDeadLetter, { id })).rejects.toMatchObject(unknown);
  await expect(test_.bus.request(messages.deleteDeadLetter, { id })).rejects.toMatchObject(unknown);
});

test('pages go on after an id, and name how many each consumer has', async () => {
  const letter = { subject: 'x', body: new Uint8Array([1]) };
  const ids = [];
  for (const consumer of ['old-a', 'old-b', 'old-a', 'old-a'])
    ids.push(await lay({ ...letter, consumer }));
  const [first = 0, , third, fourth] = ids;
  expect(await list('old-a', 0, 2)).toMatchObject({
    items: [{ id: first, service: null, stream: null }, { id: third }],
    has_more: true,
  });
  expect(await list('old-a', third, 2)).toMatchObject({ items: [{ id: fourth }], has_more: false });
  const all = await list(null, first - 1, 4);
  expect(all).toMatchObject({ items: { length: 4 }, has_more: false });
  expect(all.consumers).toEqual(
    expect.arrayContaining([
      { consumer: 'old-a', letters: 3 },
      { consumer: 'old-b', letters: 1 },
    ]),
  );
});
