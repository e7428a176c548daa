import {
  requestRescans,
  getSbom,
  listFinished,
  listServices,
  sbomsFinished,
  sbomReconciled,
  rescanCompleted,
  scanFailed,
  type RequestedRescan,
  type SbomRecord,
} from '@bomtrail/messages';
import { onBroadcast } from '@bomtrail/messaging';
import { eventually } from '@bomtrail/testkit';
import { MongoClient } from 'mongodb';
import { createSbomStore } from '../store/sbom-store';
import { anySha, rescanOf, startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog?.stop());

const maxFailures = 20_000;

async function read(sbom_id: string): Promise<SbomRecord> {
  return (await catalog.bus.request(getSbom, { sbom_id })).body;
}

function becomes(sbom_id: string, status: string): Promise<SbomRecord> {
  const check = async () => {
    const sbom = await read(sbom_id);
    if (sbom.scan_status !== status) throw new Error(`it is ${sbom.scan_status}`);
    return sbom;
  };
  return eventually(check, { what: `the SBOM becomes ${status}` });
}

function requested(sbom_id: string, times: number): Promise<unknown> {
  const check = () => {
    const found = catalog.scans.filter((scan) => scan.sbom_id === sbom_id);
    if (found.length < times) throw new Error(`asked for ${found.length} times`);
  };
  return eventually(check, { what: `the scan is asked for ${times} times` });
}

describe('the end of a scan', () => {
  test.each(['scanned', 'failed'])('is broadcast: %s', async (state) => {
    const finished: string[] = [];
    const unsubscribe = catalog.bus.subscribe(
      onBroadcast(sbomsFinished, ({ sbom_ids }) => void finished.push(...sbom_ids)),
    );
    await catalog.bus.connection.nats.flush();
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id });
    const requested = { sbom_ids: [id] };
    expect((await catalog.bus.request(listFinished, requested)).body).toEqual({ sbom_ids: [] });
    if (state === 'failed') await catalog.bus.publish(scanFailed, { sbom_id: id, reason: 'r' });
    else await catalog.bus.publish(sbomReconciled, { sbom_id: id, revision: 0, attempt: 0 });
    const check = () => {
      if (!finished.includes(id)) throw new Error('not broadcast');
    };
    await eventually(check, { what: 'the end is told' });
    // Only then: whoever hears it and looks finds it over.
    expect((await read(id)).scan_status).toBe(state);
    expect((await catalog.bus.request(listFinished, requested)).body).toEqual(requested);
    unsubscribe();
  });
});

describe('the scan of an SBOM', () => {
  test('is scanned once the reconciler has applied its result', async () => {
    const { id: project_id } = await catalog.newProject();
    const { id: other } = await catalog.upload({ project_id, service_name: 'Web' });
    const { id } = await catalog.upload({ project_id, service_name: 'Web' });
    await catalog.bus.publish(sbomReconciled, { sbom_id: id, revision: 0, attempt: 0 });
    expect((await becomes(id, 'scanned')).scanned_at).not.toBeNull();
    const [web] = (await catalog.bus.request(listServices, { project_id })).body;
    expect(web?.latest_sbom).toMatchObject({ id, scan_status: 'scanned' });
    expect(await read(other)).toMatchObject({ scan_status: 'pending', scanned_at: null });
    expect(await catalog.sboms.findOne({ _id: id })).not.toHaveProperty('retry_at');
  });

  test('that is overdue is requested again, with increasing delays and its own key', async () => {
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id });
    await requested(id, 1);
    await catalog.sboms.updateOne({ _id: id }, { $set: { retry_at: new Date(0) } });
    await requested(id, 2);
    const [first, second] = catalog.scans.filter((scan) => scan.sbom_id === id);
    expect(second).toEqual({ ...first, attempt: expect.any(Number) });
    expect(second?.attempt).not.toBe(0);
    const sbom = await catalog.sboms.findOne({ _id: id });
    expect(sbom).toMatchObject({ requests: 1, scan_status: 'pending' });
    expect(sbom?.retry_at?.getTime()).toBeGreaterThan(Date.now() + 25_000);
  });

  test('is not requested again while it waits in a long queue, unless long overdue', async () => {
    const goOn = catalog.pauseScanner();
    const { id: project_id } = await catalog.newProject();
    const uploads = Array.from({ length: 400 }, () => catalog.upload({ project_id }));
    const ids = (await Promise.all(uploads)).map(({ id }) => id);
    const [waiting = '', lost = ''] = ids;
    const minutesAgo = (minutes: number) => ({
      $set: { retry_at: new Date(Date.now() - minutes * 60_000) },
    });
    await catalog.sboms.updateOne({ _id: waiting }, minutesAgo(1));
    await catalog.sboms.updateOne({ _id: lost }, minutesAgo(11));
    const requests = async (_id: string) => (await catalog.sboms.findOne({ _id }))?.requests;
    await eventually(async () => (await requests(lost)) === 1, {
      what: 'the sweep was there',
    });
    expect(await requests(waiting)).toBe(0);
    goOn();
    await eventually(async () => (await requests(waiting)) === 1, {
      what: 'the queue is worked off',
    });
  });

  test('that failed is queued again by the same upload, under the same id', async () => {
    const { id: project_id } = await catalog.newProject();
    const upload = { project_id, sha256: anySha(), version: '1' };
    const { id } = await catalog.upload(upload);
    await requested(id, 1);
    await catalog.bus.publish(scanFailed, { sbom_id: id, reason: 'broken' });
    expect((await becomes(id, 'failed')).scan_error).toBe('broken');
    expect(await catalog.upload(upload)).toMatchObject({ id, scan_status: 'pending' });
    expect((await read(id)).scan_error).toBeNull();
    await requested(id, 2);
    await catalog.bus.publish(sbomReconciled, { sbom_id: id, revision: 0, attempt: 1 });
    await becomes(id, 'scanned');
    expect(await catalog.upload(upload)).toMatchObject({ id, scan_status: 'scanned' });
  });

  test('that failed long ago and is queued again is pending since now', async () => {
    const { id: project_id } = await catalog.newProject();
    const upload = { project_id, sha256: anySha(), version: '1' };
    const { id } = await catalog.upload(upload);
    const longAgo = new Date('2000-01-01');
    await catalog.sboms.updateOne({ _id: id }, { $set: { created_at: longAgo } });
    const store = createSbomStore(catalog.database.db);
    expect((await store.backlog(maxFailures)).upload.since).toEqual(longAgo);
    await catalog.bus.publish(scanFailed, { sbom_id: id, reason: 'broken' });
    await becomes(id, 'failed');
    const before = Date.now();
    await catalog.upload(upload);
    const others = { _id: { $ne: id }, retry_at: { $exists: true } };
    const [older] = await catalog.sboms.find(others).sort({ created_at: 1 }).limit(1).toArray();
    const expected = Math.min(before, older?.created_at.getTime() ?? Infinity);
    const { upload: pending } = await store.backlog(maxFailures);
    expect(pending.since?.getTime()).toBeGreaterThanOrEqual(expected);
    await catalog.bus.publish(sbomReconciled, { sbom_id: id, revision: 0, attempt: 1 });
    await becomes(id, 'scanned');
    expect(await catalog.sboms.findOne({ _id: id })).not.toHaveProperty('queued_at');
  });

  test('and all other pending ones are counted within a time limit', async () => {
    const { mongoUri, prefix } = catalog.servers;
    const watched = new MongoClient(mongoUri, { monitorCommands: true });
    const limits: unknown[] = [];
    watched.on('commandStarted', ({ commandName, command }) => {
      if (commandName === 'aggregate') limits.push(command['maxTimeMS']);
    });
    await createSbomStore(watched.db(`${prefix}catalog`)).backlog(maxFailures);
    await watched.close();
    expect(limits).toEqual([maxFailures, maxFailures]);
  });

  test('that failed is healed by a result that comes after all', async () => {
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id });
    await catalog.bus.publish(scanFailed, { sbom_id: id, reason: 'broken' });
    await becomes(id, 'failed');
    await catalog.bus.publish(sbomReconciled, { sbom_id: id, revision: 0, attempt: 0 });
    expect((await becomes(id, 'scanned')).scan_error).toBeNull();
  });

  test('that fails again soon after it was queued again fails again', async () => {
    const { id: project_id } = await catalog.newProject();
    const upload = { project_id, sha256: anySha(), version: '1' };
    const { id } = await catalog.upload(upload);
    await catalog.bus.publish(scanFailed, { sbom_id: id, reason: 'broken', attempt: 0 });
    await becomes(id, 'failed');
    await catalog.upload(upload);
    await requested(id, 2);
    const { attempt = 0 } = catalog.scans.filter(({ sbom_id }) => sbom_id === id)[1] ?? {};
    await catalog.bus.publish(scanFailed, { sbom_id: id, reason: 'broken again', attempt });
    expect((await becomes(id, 'failed')).scan_error).toBe('broken again');
  });

  test('that was queued again ignores a late failure of an earlier attempt', async () => {
    const { id: project_id } = await catalog.newProject();
    const upload = { project_id, sha256: anySha(), version: '1' };
    const { id } = await catalog.upload(upload);
    const { id: marker } = await catalog.upload({ project_id, service_name: 'Marker' });
    await catalog.bus.publish(scanFailed, { sbom_id: id, reason: 'broken', attempt: 0 });
    await becomes(id, 'failed');
    await catalog.upload(upload);
    await becomes(id, 'pending');
    await catalog.bus.publish(scanFailed, { sbom_id: id, reason: 'told late', attempt: 1 });
    await catalog.bus.publish(scanFailed, { sbom_id: marker, reason: 'the one behind it' });
    await becomes(marker, 'failed');
    expect(await read(id)).toMatchObject({ scan_status: 'pending', scan_error: null });
  });

  test('keeps its time on a repeated result, and changes it after an advisory change', async () => {
    const digest = anySha();
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id, digest });
    const tell = (attempt: number, revision = 0) =>
      catalog.bus.publish(sbomReconciled, { sbom_id: id, revision, attempt });
    /** Until what was told before it was heard. */
    const heard = async () => {
      const { id: marker } = await catalog.upload({ project_id });
      await catalog.bus.publish(sbomReconciled, { sbom_id: marker, revision: 0, attempt: 0 });
      await becomes(marker, 'scanned');
    };
    await tell(0);
    const { scanned_at } = await becomes(id, 'scanned');
    await tell(1);
    await heard();
    expect((await read(id)).scanned_at).toBe(scanned_at);

    await catalog.bus.request(requestRescans, rescanOf(digest, 5));
    await tell(0, 5);
    await heard();
    const { scanned_at: again } = await read(id);
    expect(Date.parse(String(again))).toBeGreaterThan(Date.parse(String(scanned_at)));
    await tell(1, 5);
    await heard();
    expect((await read(id)).scanned_at).toBe(again);
  });

  test('does not fail any more once its result is in the lists', async () => {
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id });
    const { id: marker } = await catalog.upload({ project_id });
    await catalog.bus.publish(sbomReconciled, { sbom_id: id, revision: 0, attempt: 0 });
    await becomes(id, 'scanned');
    await catalog.bus.publish(scanFailed, { sbom_id: id, reason: 'late' });
    await catalog.bus.publish(scanFailed, { sbom_id: marker, reason: 'the one behind it' });
    await becomes(marker, 'failed');
    expect(await read(id)).toMatchObject({ scan_status: 'scanned' });
  });
});

describe('an advisory change', () => {
  const mark = async (id: string) => (await catalog.sboms.findOne({ _id: id }))?.rescan;

  /** What the reconciler was told of SBOMs of a project. */
  const toldOf = (project_id: string) =>
    catalog.rescanRequests.filter(({ sboms }) =>
      sboms.some((sbom) => sbom.project_id === project_id),
    );

  const rescanRequestOf = async (sbom_id: string, times = 1): Promise<RequestedRescan> => {
    const all = () =>
      catalog.rescanRequests.filter(({ sboms }) => sboms.some((sbom) => sbom.sbom_id === sbom_id));
    await eventually(() => all().length >= times, {
      what: `the SBOM is told to be outdated ${times} times`,
    });
    return all().at(-1) as RequestedRescan;
  };

  const isPending = async (id: string, pending: boolean): Promise<void> => {
    await eventually(async () => ((await mark(id)) !== undefined) === pending, {
      what: `the mark is ${pending ? 'there' : 'gone'}`,
    });
  };

  test('marks one SBOM of each service that uses the component set, until its revision is applied', async () => {
    const digest = anySha();
    const { id: project_id } = await catalog.newProject();
    const { id: elsewhere } = await catalog.newProject();
    await catalog.upload({ project_id, digest });
    const a = await catalog.upload({ project_id, digest });
    const newest = await catalog.upload({ project_id });
    const b = await catalog.upload({ project_id, digest, service_name: 'Other' });
    const c = await catalog.upload({ project_id: elsewhere, digest });
    await catalog.bus.request(requestRescans, rescanOf(digest, 5));
    const message = await rescanRequestOf(a.id);

    expect(message).toMatchObject({ revision: 5, packages: null });
    expect(message.sboms.map(({ sbom_id }) => sbom_id).sort()).toEqual([a.id, b.id, c.id].sort());
    expect(await mark(newest.id)).toBeUndefined();
    expect(await catalog.sboms.countDocuments({ digest, rescan: { $exists: true } })).toBe(3);

    await catalog.bus.publish(sbomReconciled, { sbom_id: a.id, revision: 4, attempt: 0 });
    await becomes(a.id, 'scanned');
    expect(await mark(a.id)).toMatchObject({ revision: 5 });
    const done = { sbom_ids: [a.id, c.id], revision: 5, packages: null };
    await catalog.bus.publish(rescanCompleted, done);
    await isPending(a.id, false);
    await isPending(c.id, false);
    expect(await mark(b.id)).toMatchObject({ revision: 5 });
    await catalog.bus.publish(sbomReconciled, { sbom_id: b.id, revision: 5, attempt: 0 });
    await isPending(b.id, false);
  });

  test('of several sets marks the newest SBOM of a service that uses more than one', async () => {
    const sets = [anySha(), anySha()];
    const { id: project_id } = await catalog.newProject();
    await catalog.upload({ project_id, digest: sets[0] });
    const newest = await catalog.upload({ project_id, digest: sets[1] });
    const other = await catalog.upload({ project_id, digest: sets[0], service_name: 'Other' });
    const changed_at = '2026-02-03T04:05:06.789Z';
    const change = { digests: sets, revision: 6, changed_at, packages: ['npm|a'] };
    const { body } = await catalog.bus.request(requestRescans, change);
    expect(body).toEqual({ services: 2 });
    await rescanRequestOf(newest.id);
    await rescanRequestOf(other.id);
    const messages = toldOf(project_id);
    const ids = messages.flatMap(({ sboms }) => sboms.map(({ sbom_id }) => sbom_id));
    expect(ids.sort()).toEqual([newest.id, other.id].sort());
    for (const message of messages)
      expect(message).toMatchObject({ revision: 6, changed_at, packages: ['npm|a'] });
  });

  test('combines packages and time with an earlier pending one', async () => {
    const digests = [anySha()];
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id, digest: digests[0] });
    const [first, second] = ['2026-02-03T04:05:06.000Z', '2026-02-03T05:00:00.000Z'];
    const ask = (revision: number, changed_at: string, packages: string[] | null) =>
      catalog.bus.request(requestRescans, { digests, revision, changed_at, packages });
    await ask(6, first, ['npm|a', 'npm|b']);
    await ask(7, second, ['npm|b', 'npm|c']);
    const both = { revision: 7, packages: ['npm|a', 'npm|b', 'npm|c'] };
    expect(await rescanRequestOf(id, 2)).toMatchObject({ ...both, changed_at: first });
    expect(await mark(id)).toMatchObject({ ...both, changed_at: new Date(first) });

    // Who brought in a part of it has not done it.
    const completed = { sbom_ids: [id], revision: 7 };
    await catalog.bus.publish(rescanCompleted, { ...completed, packages: ['npm|b', 'npm|c'] });
    await becomes(id, 'pending');
    const { id: marker } = await catalog.upload({ project_id, service_name: 'Marker' });
    await catalog.sboms.updateOne({ _id: marker }, { $set: { rescan: await mark(id) } });
    await catalog.bus.publish(rescanCompleted, {
      sbom_ids: [marker],
      revision: 7,
      packages: [...both.packages, 'npm|d'],
    });
    await isPending(marker, false);
    expect(await mark(id)).toMatchObject(both);

    await ask(7, second, null);
    expect(await rescanRequestOf(id, 3)).toMatchObject({ revision: 7, packages: null });
    await ask(8, second, ['npm|d']);
    expect(await rescanRequestOf(id, 4)).toMatchObject({ revision: 8, packages: null });
    await catalog.bus.publish(rescanCompleted, { ...completed, revision: 8, packages: null });
    await isPending(id, false);
  });

  test('of more packages than one message may name applies to the whole service', async () => {
    const digest = anySha();
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id, digest });
    const packages = (from: number) => Array.from({ length: 30 }, (_, n) => `npm|p${from + n}`);
    const change = { digests: [digest], changed_at: null };
    await catalog.bus.request(requestRescans, { ...change, revision: 2, packages: packages(0) });
    await catalog.bus.request(requestRescans, { ...change, revision: 3, packages: packages(25) });
    expect(await rescanRequestOf(id, 2)).toMatchObject({ revision: 3, packages: null });
  });

  test('that is older does not lower a mark, and an overdue one is requested as a scan', async () => {
    const digest = anySha();
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id, digest });
    const changed_at = '2026-02-03T04:05:06.000Z';
    await catalog.bus.request(requestRescans, {
      digests: [digest],
      revision: 9,
      changed_at,
      packages: null,
    });
    await rescanRequestOf(id);
    await catalog.bus.request(requestRescans, rescanOf(digest, 8));
    expect(await mark(id)).toMatchObject({ revision: 9 });
    await catalog.sboms.updateOne({ _id: id }, { $set: { 'rescan.retry_at': new Date(0) } });
    await requested(id, 2);
    expect(catalog.scans.filter((scan) => scan.sbom_id === id).at(-1)).toMatchObject({
      lane: 'rescan',
      revision: 9,
      changed_at,
    });
  });
});

test('after a loss of all NATS data the scan of a pending SBOM is requested again', async () => {
  const { id: project_id } = await catalog.newProject();
  const { id } = await catalog.upload({ project_id });
  await requested(id, 1);
  await catalog.servers.wipeNats();
  await catalog.sboms.updateOne({ _id: id }, { $set: { retry_at: new Date(0) } });
  await requested(id, 2);
  const { id: next } = await catalog.upload({ project_id });
  await requested(next, 1);
});
