import {
  reconcilerUploads,
  requestRescans,
  sbomReconciled,
  scanFailed,
  type SbomReference,
} from '@bomtrail/messages';
import { consumes, openEventTransport, type RunningConsumer } from '@bomtrail/messaging';
import { eventually } from '@bomtrail/testkit';
import { anySha, rescanOf, startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;
let reconciler: RunningConsumer;
/** Scans that are completed without the scanner. */
const completed: SbomReference[] = [];

beforeAll(async () => {
  catalog = await startCatalog();
  reconciler = openEventTransport(
    catalog.bus.connection,
    consumes(reconcilerUploads, { handle: async (scan) => void completed.push(scan) }),
  );
});
afterAll(async () => {
  await reconciler?.stop();
  await catalog?.stop();
});

/** A service with one SBOM, of this component set. */
async function aService() {
  const { id: project_id } = await catalog.newProject();
  const digest = anySha();
  const upload = (other: { digest?: string } = {}) =>
    catalog.upload({ project_id, digest, ...other });
  const { id } = await upload();
  return { upload, digest, id };
}

async function untilScanned(sbom_id: string): Promise<void> {
  await catalog.bus.publish(sbomReconciled, { sbom_id, revision: 0, attempt: 0 });
  const isScanned = async () =>
    (await catalog.sboms.findOne({ _id: sbom_id }))?.scan_status === 'scanned';
  await eventually(isScanned, { what: 'the SBOM is scanned' });
}

/** How the upload goes on: with its scan, or as scanned. */
function nextStepOf(sbom_id: string): Promise<'scan' | 'completed'> {
  const isOf = (scan: SbomReference): boolean => scan.sbom_id === sbom_id;
  const check = () => {
    if (completed.some(isOf)) return 'completed' as const;
    if (catalog.scans.some(isOf)) return 'scan' as const;
    throw new Error('nothing is published');
  };
  return eventually(check, { what: 'the next step is published' });
}

describe('an upload with the component set of the latest SBOM', () => {
  test('is not scanned again, and is pending until it is reconciled', async () => {
    const { upload, digest, id } = await aService();
    await untilScanned(id);
    const result = await upload();
    expect(result.scan_status).toBe('pending');
    expect(await nextStepOf(result.id)).toBe('completed');
    const scan = completed.find(({ sbom_id }) => sbom_id === result.id);
    expect(scan).toMatchObject({ digest, seq: 2, lane: 'upload', evaluated_revision: 0 });
    expect(catalog.scans.map(({ sbom_id }) => sbom_id)).not.toContain(result.id);
    // If the message is lost, the sweep requests a scan.
    expect(await catalog.sboms.findOne({ _id: result.id })).toHaveProperty('retry_at');
  });

  test('is scanned while the scan of that one is pending', async () => {
    const { upload } = await aService();
    expect(await nextStepOf((await upload()).id)).toBe('scan');
  });

  test('is scanned if the scan of that one failed', async () => {
    const { upload, id } = await aService();
    await catalog.bus.publish(scanFailed, { sbom_id: id, reason: 'r' });
    const hasFailed = async () =>
      (await catalog.sboms.findOne({ _id: id }))?.scan_status === 'failed';
    await eventually(hasFailed, { what: 'the scan has failed' });
    expect(await nextStepOf((await upload()).id)).toBe('scan');
  });

  test('is scanned while a re-scan of that one is pending', async () => {
    const { upload, digest, id } = await aService();
    await untilScanned(id);
    await catalog.bus.request(requestRescans, rescanOf(digest, 7));
    expect(await nextStepOf((await upload()).id)).toBe('scan');
  });

  test('is scanned if only an SBOM before the latest had the set', async () => {
    const { upload, id } = await aService();
    await untilScanned(id);
    const other = await upload({ digest: anySha() });
    await untilScanned(other.id);
    expect(await nextStepOf((await upload()).id)).toBe('scan');
  });

  test('is scanned if that one is deleted', async () => {
    const { upload, id } = await aService();
    await untilScanned(id);
    await catalog.sboms.updateOne({ _id: id }, { $set: { deleted_at: new Date() } });
    expect(await nextStepOf((await upload()).id)).toBe('scan');
  });
});
