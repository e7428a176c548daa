import type { SbomReference } from '@bomtrail/messages';
import { accept } from '../testing/forgetting';
import { playCatalog, verified, type PlayedCatalog } from '../testing/played-catalog';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';
import { axios, lodash, toldLine, vue, type ToldLine } from '../testing/told-line';

let world: TestReconciler;
let catalog: PlayedCatalog;

beforeAll(async () => {
  world = await startReconciler({ processes: 2 });
  catalog = playCatalog(world);
});
afterEach(() => {
  catalog.standing = { settled: true, announced: true };
});
afterAll(() => world?.stop());

describe('Work that is under way, for a check of the ledgers,', () => {
  /** A line whose findings have changed, which the rows do not show yet. */
  async function movedLine(): Promise<ToldLine & { tellRows: () => Promise<void> }> {
    const told = await toldLine(world, catalog);
    const newest = told.uploads[2] as SbomReference;
    world.setScan(newest.digest, lodash, axios);
    world.revisions.set(newest.digest, 3);
    return {
      ...told,
      async tellRows() {
        const revision = Math.max(...world.revisions.values());
        await world.finish({ ...newest, lane: 'rescan', revision });
      },
    };
  }
  const undecided = { totals: { differing: 0, undecided: 1 } };

  test.each([
    ['an advisory change that is being evaluated', { settled: false, announced: true }],
    ['one that is being announced', { settled: true, announced: false }],
  ])('%s is no difference', async (_what, standing) => {
    const { line, tellRows } = await movedLine();
    catalog.standing = standing;
    expect(await verified(world, { line, patienceMs: 0 })).toMatchObject(undecided);
    catalog.standing = { settled: true, announced: true };
    expect(await verified(world, { line })).toMatchObject({ totals: { differing: 1 } });
    await tellRows();
    expect(await verified(world, { line })).toMatchObject({ verdicts: [] });
  });

  test('a re-scan that is owed is waited for', async () => {
    const { line, uploads, tellRows } = await movedLine();
    const { sbom_id = '' } = uploads[2] ?? {};
    catalog.owed.add(sbom_id);
    expect(await verified(world, { line, patienceMs: 0 })).toMatchObject(undecided);
    const [{ verdicts }] = await Promise.all([
      verified(world, { line }),
      tellRows().then(() => catalog.owed.delete(sbom_id)),
    ]);
    expect(verdicts).toEqual([]);
  });

  test('a delete is no difference, whether it is half done or the service goes', async () => {
    const { line, uploads } = await toldLine(world, catalog);
    const sbom = line.sboms.find(({ sbom_id }) => sbom_id === uploads[2]?.sbom_id);
    if (sbom) sbom.deleting = true;
    expect(await verified(world, { line })).toMatchObject({ verdicts: [] });
    await line.remove(uploads[2] as SbomReference);
    expect(await verified(world, { line })).toMatchObject({ verdicts: [] });
    const held = catalog.lines.get(line.line_id);
    catalog.lines.delete(line.line_id);
    catalog.deleting.add(line.line_id);
    expect(await verified(world, { line, patienceMs: 0 })).toMatchObject(undecided);
    if (held) catalog.lines.set(line.line_id, held);
  });

  test('uploads, re-scans, deletes and acceptances beside it bring no false report', async () => {
    const lines = Array.from({ length: 6 }, () => catalog.newLine());
    const sets = [world.newSet(lodash, axios), world.newSet(lodash), world.newSet(axios, vue)];
    for (const digest of sets) world.revisions.set(digest, 2);
    let busy = true;
    const work = lines.map(async (line, n) => {
      const uploads: SbomReference[] = [];
      for (let turn = 0; turn < 8; turn++) {
        uploads.push(await line.scanned(sets[(turn + n) % sets.length] ?? ''));
        if (turn % 4 === 2) await accept(world, line, { service: true }).catch(() => {});
        if (turn % 4 === 3) await line.remove(uploads.splice(1, 1)[0] as SbomReference);
      }
    });
    const ended = Promise.all(work).finally(() => (busy = false));
    let looks = 0;
    while (busy) {
      for (const line of lines) expect((await verified(world, { line })).verdicts).toEqual([]);
      looks += 1;
    }
    await ended;
    expect(looks).toBeGreaterThan(0);
    for (const line of lines) expect((await verified(world, { line })).verdicts).toEqual([]);
  });
});
