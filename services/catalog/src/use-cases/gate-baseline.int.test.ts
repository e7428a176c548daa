import { findBaseline, recordGateOutcome, type AlertThreshold } from '@bomtrail/messages';
import { anySha, startCatalog, type TestCatalog } from '../testing/start-catalog';

let catalog: TestCatalog;

beforeAll(async () => {
  catalog = await startCatalog();
});
afterAll(() => catalog?.stop());

/** Uploads these versions to a new service, in this order. Everything below names them by their place. */
async function serviceOf(...versions: (string | null)[]) {
  const { id: project_id } = await catalog.newProject();
  const ids: string[] = [];
  for (const version of versions) {
    const content = { sha256: anySha(), digest: anySha() };
    ids.push((await catalog.upload({ project_id, version, ...content })).id);
  }
  const idOf = (place: number): string => ids[place] ?? '';
  const baselineOf = async (
    place: number,
    { fail_on = 'high', named = null }: { fail_on?: AlertThreshold; named?: string | null } = {},
  ): Promise<number | null> => {
    const request = { sbom_id: idOf(place), fail_on, named };
    const { baseline } = (await catalog.bus.request(findBaseline, request)).body;
    return baseline && ids.indexOf(baseline.id);
  };
  const record = (place: number, passed: boolean, fail_on: AlertThreshold = 'high') =>
    catalog.bus.request(recordGateOutcome, { sbom_id: idOf(place), fail_on, passed });
  return { idOf, baselineOf, record };
}

describe('the baseline of a gate', () => {
  test('is the newest earlier SBOM that passed, and never one that failed or was not judged', async () => {
    const { baselineOf, record } = await serviceOf('a', 'b', 'c', 'd', 'e');
    expect(await baselineOf(4)).toBeNull();
    await record(0, true);
    await record(1, true);
    await record(2, false);
    expect(await Promise.all([0, 1, 2, 3, 4].map((place) => baselineOf(place)))).toEqual([
      ...[null, 0],
      ...[1, 1, 1],
    ]);
  });

  test('follows the newest outcome: one that fails now is none, one that passes after all is', async () => {
    const { baselineOf, record } = await serviceOf('a', 'b', 'c');
    await record(0, true);
    await record(1, true);
    await record(1, false);
    expect(await baselineOf(2)).toBe(0);
    await record(1, true);
    await record(1, true);
    expect(await baselineOf(2)).toBe(1);
  });

  test('passed at the requested threshold or a stricter one', async () => {
    const { baselineOf, record } = await serviceOf('a', 'b', 'c');
    await record(0, true, 'low');
    await record(1, true, 'critical');
    expect(await baselineOf(2, { fail_on: 'critical' })).toBe(1);
    expect(await baselineOf(2, { fail_on: 'high' })).toBe(0);
    await record(0, false, 'medium');
    expect(await baselineOf(2, { fail_on: 'high' })).toBeNull();
  });

  test('is not one that was deleted, nor one of another service', async () => {
    const { idOf, baselineOf, record } = await serviceOf('a', 'b', 'c');
    const other = await serviceOf('a');
    await other.record(0, true);
    await record(0, true);
    await record(1, true);
    await catalog.sboms.updateOne({ _id: idOf(1) }, { $set: { deleted_at: new Date() } });
    expect(await baselineOf(2)).toBe(0);
    expect(await other.baselineOf(0)).toBeNull();
  });
});

describe('a baseline that is named', () => {
  test('is the newest other SBOM with this version, or the one with this id, whatever its gate result', async () => {
    const { idOf, baselineOf, record } = await serviceOf('1', '1', '2', '2');
    await record(2, true);
    expect(await baselineOf(3, { named: '1' })).toBe(1);
    expect(await baselineOf(3, { named: '2' })).toBe(2);
    expect(await baselineOf(0, { named: '2' })).toBe(3);
    expect(await baselineOf(3, { named: idOf(0).toUpperCase() })).toBe(0);
  });

  test.each(['3', 'its own id', 'of another service'])('that is not there: %s', async (named) => {
    const { idOf, baselineOf } = await serviceOf('1', '2');
    const other = await serviceOf('3');
    const ids: Record<string, string> = {
      'its own id': idOf(1),
      'of another service': other.idOf(0),
    };
    await expect(baselineOf(1, { named: ids[named] ?? named })).rejects.toMatchObject({
      code: 'baseline_not_found',
    });
  });
});

test('an SBOM that is not there has neither a baseline nor an outcome', async () => {
  const gone = { sbom_id: '0197c1a2-0d31-7b6c-8f0a-51c8b1d2e3f4', fail_on: 'high' as const };
  const notFound = { code: 'sbom_not_found' };
  await expect(catalog.bus.request(findBaseline, { ...gone, named: null })).rejects.toMatchObject(
    notFound,
  );
  await expect(
    catalog.bus.request(recordGateOutcome, { ...gone, passed: true }),
  ).rejects.toMatchObject(notFound);
});
