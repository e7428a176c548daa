import {
  requestRescans,
  requestRescansOfSet,
  getSbom,
  sbomReconciled,
  scanFailed,
  type SbomRecord,
} from '@bomtrail/messages';
import { eventually } from '@bomtrail/testkit';
import { anySha, startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog();
}, 120_000);
afterAll(() => catalog?.stop());

const patience = 20_000;

async function read(sbom_id: string): Promise<SbomRecord> {
  return (await catalog.bus.request(getSbom, { sbom_id })).body;
}

function becomes(sbom_id: string, status: string): Promise<SbomRecord> {
  const check = async () => {
    const sbom = await read(sbom_id);
    if (sbom.scan_status !== status) throw new Error(`it is ${sbom.scan_status}`);
    return sbom;
  };
  return eventually(check, { within: patience, what: `the SBOM becomes ${status}` });
}

function asked(sbom_id: string, times: number): Promise<unknown> {
  const check = () => {
    const found = catalog.scans.filter((scan) => scan.sbom_id === sbom_id);
    if (found.length < times) throw new Error(`asked for ${found.length} times`);
  };
  return eventually(check, { within: patience, what: `the scan is asked for ${times} times` });
}

describe('the scan of an SBOM', () => {
  test('is done once the reconciler says that its result is in the lists', async () => {
    const { id: project_id } = await catalog.newProject();
    const { id: other } = await catalog.upload({ project_id });
    const { id } = await catalog.upload({ project_id });
    await catalog.bus.publish(sbomReconciled, { sbom_id: id, revision: 0, attempt: 0 });
    expect((await becomes(id, 'scanned')).scanned_at).not.toBeNull();
    expect(await read(other)).toMatchObject({ scan_status: 'pending', scanned_at: null });
    expect(await catalog.sboms.findOne({ _id: id })).not.toHaveProperty('retry_at');
  });

  test('that is overdue is asked for again, each time later, with a key of its own', async () => {
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id });
    await asked(id, 1);
    await catalog.sboms.updateOne({ _id: id }, { $set: { retry_at: new Date(0) } });
    await asked(id, 2);
    const [first, second] = catalog.scans.filter((scan) => scan.sbom_id === id);
    expect(second).toEqual({ ...first, attempt: expect.any(Number) });
    expect(second?.attempt).not.toBe(0);
    const sbom = await catalog.sboms.findOne({ _id: id });
    expect(sbom).toMatchObject({ requests: 1, scan_status: 'pending' });
    expect(sbom?.retry_at?.getTime()).toBeGreaterThan(Date.now() + 25_000);
  });

  test('is not asked for again while it waits in a long queue, unless it is overdue by far', async () => {
    const goOn = catalog.holdScanner();
    const { id: project_id } = await catalog.newProject();
    const uploads = Array.from({ length: 200 }, () => catalog.upload({ project_id }));
    const ids = (await Promise.all(uploads)).map(({ id }) => id);
    const [waiting = '', lost = ''] = ids;
    const minutesAgo = (minutes: number) => ({
      $set: { retry_at: new Date(Date.now() - minutes * 60_000) },
    });
    await catalog.sboms.updateOne({ _id: waiting }, minutesAgo(1));
    await catalog.sboms.updateOne({ _id: lost }, minutesAgo(11));
    const requests = async (_id: string) => (await catalog.sboms.findOne({ _id }))?.requests;
    await eventually(async () => (await requests(lost)) === 1, {
      ...{ within: patience, what: 'the sweep was there' },
    });
    expect(await requests(waiting)).toBe(0);
    goOn();
    await eventually(async () => (await requests(waiting)) === 1, {
      ...{ within: patience, what: 'the queue is worked off' },
    });
  });

  test('that failed is queued again by the same upload, under the same id', async () => {
    const { id: project_id } = await catalog.newProject();
    const upload = { project_id, sha256: anySha(), version: '1' };
    const { id } = await catalog.upload(upload);
    await asked(id, 1);
    await catalog.bus.publish(scanFailed, { sbom_id: id, reason: 'broken' });
    await becomes(id, 'failed');
    expect(await catalog.upload(upload)).toMatchObject({ id, scan_status: 'pending' });
    await asked(id, 2);
    await catalog.bus.publish(sbomReconciled, { sbom_id: id, revision: 0, attempt: 1 });
    await becomes(id, 'scanned');
    expect(await catalog.upload(upload)).toMatchObject({ id, scan_status: 'scanned' });
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
  const mark = async (id: string) => (await catalog.sboms.findOne({ _id: id }))?.rescan?.revision;

  test('asks for one re-scan in each line that holds the component set, and is owed until its revision is in the lists', async () => {
    const digest = anySha();
    const { id: project_id } = await catalog.newProject();
    const { id: elsewhere } = await catalog.newProject();
    await catalog.upload({ project_id, digest });
    const a = await catalog.upload({ project_id, digest });
    const newest = await catalog.upload({ project_id });
    const b = await catalog.upload({ project_id, digest, service_name: 'Other' });
    const c = await catalog.upload({ project_id: elsewhere, digest });
    await catalog.bus.request(requestRescansOfSet, { digest, revision: 5 });
    await Promise.all([a, b, c].map(({ id }) => asked(id, 2)));

    const rescans = catalog.scans.filter(({ lane }) => lane === 'rescan');
    expect(rescans.map(({ sbom_id }) => sbom_id).sort()).toEqual([a.id, b.id, c.id].sort());
    expect(rescans[0]).toMatchObject({ digest, revision: 5, attempt: 0 });
    expect(await mark(newest.id)).toBeUndefined();
    expect(await catalog.sboms.countDocuments({ rescan: { $exists: true } })).toBe(3);

    await catalog.bus.publish(sbomReconciled, { sbom_id: a.id, revision: 4, attempt: 0 });
    await becomes(a.id, 'scanned');
    expect(await mark(a.id)).toBe(5);
    await catalog.bus.publish(sbomReconciled, { sbom_id: a.id, revision: 0, attempt: 1 });
    await catalog.bus.publish(sbomReconciled, { sbom_id: a.id, revision: 5, attempt: 0 });
    await eventually(async () => (await mark(a.id)) === undefined, {
      ...{ within: patience, what: 'the mark is gone' },
    });
    expect(await mark(b.id)).toBe(5);
  });

  test('of several sets asks for one re-scan in a line that holds more than one of them, for the newest', async () => {
    const sets = [anySha(), anySha()];
    const { id: project_id } = await catalog.newProject();
    await catalog.upload({ project_id, digest: sets[0] });
    const newest = await catalog.upload({ project_id, digest: sets[1] });
    const other = await catalog.upload({ project_id, digest: sets[0], service_name: 'Other' });
    const changed_at = '2026-02-03T04:05:06.789Z';
    const change = { digests: sets, revision: 6, changed_at };
    const { body } = await catalog.bus.request(requestRescans, change);
    expect(body).toEqual({ lines: 2 });
    await Promise.all([newest, other].map(({ id }) => asked(id, 2)));
    const rescans = catalog.scans.filter(
      (scan) => scan.lane === 'rescan' && scan.project_id === project_id,
    );
    expect(rescans.map(({ sbom_id }) => sbom_id).sort()).toEqual([newest.id, other.id].sort());
    for (const rescan of rescans) expect(rescan).toMatchObject({ revision: 6, changed_at });
  });

  test('that comes while an earlier one is owed is as old as that one for whoever asks how long it took', async () => {
    const digests = [anySha()];
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id, digest: digests[0] });
    const [first, second] = ['2026-02-03T04:05:06.000Z', '2026-02-03T05:00:00.000Z'];
    await catalog.bus.request(requestRescans, { digests, revision: 6, changed_at: first });
    await catalog.bus.request(requestRescans, { digests, revision: 7, changed_at: second });
    const owed = (await catalog.sboms.findOne({ _id: id }))?.rescan;
    expect(owed).toMatchObject({ revision: 7, changed_at: new Date(first) });
    await catalog.sboms.updateOne({ _id: id }, { $set: { 'rescan.retry_at': new Date(0) } });
    await asked(id, 4);
    expect(catalog.scans.filter((scan) => scan.sbom_id === id).at(-1)).toMatchObject({
      ...{ revision: 7, changed_at: first },
    });
  });

  test('that is older does not lower a mark, and an overdue re-scan is asked for again', async () => {
    const digest = anySha();
    const { id: project_id } = await catalog.newProject();
    const { id } = await catalog.upload({ project_id, digest });
    await catalog.bus.request(requestRescansOfSet, { digest, revision: 9 });
    await asked(id, 2);
    await catalog.bus.request(requestRescansOfSet, { digest, revision: 8 });
    await asked(id, 3);
    expect(await mark(id)).toBe(9);
    await catalog.sboms.updateOne({ _id: id }, { $set: { 'rescan.retry_at': new Date(0) } });
    await asked(id, 4);
    expect(catalog.scans.filter((scan) => scan.sbom_id === id).at(-1)).toMatchObject({
      ...{ lane: 'rescan', revision: 9 },
    });
  });
});

test('when NATS has lost everything the scan of a pending SBOM is asked for again', async () => {
  const { id: project_id } = await catalog.newProject();
  const { id } = await catalog.upload({ project_id });
  await asked(id, 1);
  await catalog.servers.wipeNats();
  await catalog.sboms.updateOne({ _id: id }, { $set: { retry_at: new Date(0) } });
  await asked(id, 2);
  const { id: next } = await catalog.upload({ project_id });
  await asked(next, 1);
}, 90_000);
