import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  listUndetermined,
  readCoverage,
  readCoverages,
  readFindingsOfSets,
  type SetsFindings,
  type UndeterminedComponent,
} from '@bomtrail/messages';
import { unpackJson } from '@bomtrail/messaging';
import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import { makeFeedFolder, type FeedFolder } from './testing/feed-folder';
import { startScanner, type ScannerUnderTest } from './testing/scanner-under-test';

let servers: TestServers;
let scanner: ScannerUnderTest | null = null;
let number = 0;
const folders: FeedFolder[] = [];

beforeAll(async () => {
  servers = await startTestServers();
});
afterEach(async () => {
  await scanner?.stop();
  scanner = null;
  for (const folder of folders.splice(0)) await folder.discard();
});
afterAll(() => servers?.stop());

async function start(
  source: string,
  seconds?: { betweenSweeps: number },
): Promise<ScannerUnderTest> {
  number += 1;
  scanner = await startScanner(servers, { source, name: `s${number}`, seconds });
  return scanner;
}

/** A feed of three advisories over two packages; two of them are one vulnerability. */
async function startWithFeed(seconds?: {
  betweenSweeps: number;
}): Promise<{ feed: FeedFolder; scanner: ScannerUnderTest }> {
  const feed = await makeFeedFolder();
  folders.push(feed);
  await feed.put('npm', { id: 'GHSA-aaaa', name: 'left', fixed: '1.5.0', aliases: ['CVE-2026-1'] });
  await feed.put('npm', { id: 'TEST-1', name: 'left', fixed: '1.6.0', aliases: ['CVE-2026-1'] });
  await feed.put('PyPI', { id: 'PYSEC-1', name: 'right', fixed: '3.0' });
  return { feed, scanner: await start(feed.path, seconds) };
}

const left = { purl: 'pkg:npm/left@1.2.0', name: 'left', version: '1.2.0' };
const leftFixed = { purl: 'pkg:npm/left@2.0.0', name: 'left', version: '2.0.0' };
const right = { purl: 'pkg:pypi/Right@2.0', name: 'Right', version: '2.0' };
const clean = { purl: 'pkg:npm/clean@1.0.0', name: 'clean', version: '1.0.0' };

test('the starter set is loaded and answers say so', async () => {
  const one = await start('starter');
  const digest = one.putSet([clean]);
  await one.scan(digest);
  const { body } = await one.request(readCoverage, { digest });
  expect(body).toEqual({
    revision: 1,
    advisory_data: 'starter',
    coverage: { components: 1, evaluated: 0, undetermined: { starter_data: 1 } },
  });
  expect(await one.db.collection('advisories').countDocuments()).toBeGreaterThan(10);
});

test('what a document is about is judged and counted with its dependencies', async () => {
  const { scanner: one } = await startWithFeed();
  const digest = one.putSet([right, clean], [left]);
  const unknown = one.putSet([clean], [{ purl: 'pkg:generic/product@1', name: 'product' }]);
  await one.scan(digest);
  await one.scan(unknown);
  const judged = await one.request(readCoverage, { digest });
  expect(judged.body.coverage).toEqual({
    components: 3,
    evaluated: 3,
    undetermined: {},
    roots: 1,
    evaluated_roots: 1,
  });
  const { findings } = await one.findings(digest);
  expect(findings).toMatchObject([
    { purl: left.purl, is_root: true, is_direct: true },
    { purl: right.purl },
  ]);
  expect(findings[1]).not.toHaveProperty('is_root');
  const { attachment } = await one.request(readFindingsOfSets, {
    digests: [digest],
    packages: ['npm|left'],
  });
  const several = (await unpackJson(attachment ?? Buffer.alloc(0))) as SetsFindings;
  expect(several.findings).toMatchObject([{ purl: left.purl, is_root: true }]);
  const query = { digest: unknown, page: 1, per_page: 10 };
  const listed = await one.request(listUndetermined, query);
  expect(listed.body.coverage).toEqual({
    components: 2,
    evaluated: 1,
    undetermined: { unknown_ecosystem: 1 },
    roots: 1,
    evaluated_roots: 0,
  });
  expect(await unpackJson(listed.attachment ?? Buffer.alloc(0))).toMatchObject([
    { name: 'product', reason: 'unknown_ecosystem' },
  ]);
});

test('the advisories that could not be decided are named and counted', async () => {
  const { feed, scanner: one } = await startWithFeed();
  const name = 'org.acme:core';
  await feed.put('Maven', { id: 'GHSA-mirror-1', name, fixed: '2.15.0' });
  await feed.put('Maven', { id: 'GHSA-mirror-2', name, fixed: '2.16.0' });
  await feed.put('Maven', { id: 'GHSA-older', name, fixed: '2.0.0' });
  await one.nextRevision(1);
  const mirrored = 'pkg:maven/org.acme/core@2.14.1?repository_url=https://maven.example.org';
  const digest = one.putSet([{ purl: mirrored, name, version: '2.14.1' }, clean]);
  await one.scan(digest);
  const query = { digest, page: 1, per_page: 10 };
  const listed = async () => {
    const { body, attachment } = await one.request(listUndetermined, query);
    const rows = (await unpackJson(attachment ?? Buffer.alloc(0))) as UndeterminedComponent[];
    return { count: body.coverage?.undecided_advisories, rows };
  };
  const both = ['GHSA-mirror-1', 'GHSA-mirror-2'];
  expect(await listed()).toMatchObject({
    count: 2,
    rows: [{ purl: mirrored, reason: 'release_unknown', advisory_ids: both }],
  });
  const { revision } = (await one.state()) ?? { revision: 0 };
  await feed.put('Maven', { id: 'GHSA-mirror-3', name, fixed: '2.17.0' });
  await one.nextRevision(revision);
  expect(await listed()).toMatchObject({
    count: 3,
    rows: [{ advisory_ids: [...both, 'GHSA-mirror-3'] }],
  });
});

test('a scanned set has one finding for each alias group that affects a component', async () => {
  const { scanner: one } = await startWithFeed();
  const digest = one.putSet([left, right, clean, { purl: 'pkg:generic/bash@5' }]);
  await one.scan(digest);
  const result = await one.findings(digest);
  expect(result.revision).toBe(1);
  expect((await one.request(readCoverage, { digest })).body).toMatchObject({
    advisory_data: 'feed',
    // Neither NuGet nor Debian is in the feed; nothing of NuGet is in the set.
    coverage: { components: 4, evaluated: 3, undetermined: { unknown_ecosystem: 1 } },
  });
  const unknown = 'f'.repeat(64);
  expect((await one.request(readCoverages, { digests: [digest, unknown] })).body).toEqual({
    coverages: { [digest]: expect.objectContaining({ components: 4, evaluated: 3 }) },
  });
  expect(result.findings).toHaveLength(2);
  const [first, second] = result.findings;
  expect(first).toMatchObject({
    purl: left.purl,
    package_key: 'npm|left',
    fixed_versions: ['1.5.0', '1.6.0'],
  });
  expect(result.vulnerabilities[first?.details ?? '']).toMatchObject({
    cve_id: 'CVE-2026-1',
    advisory_ids: ['GHSA-aaaa', 'TEST-1'],
    severity: 'critical',
  });
  expect(second).toMatchObject({ package_name: 'Right', package_key: 'PyPI|right' });
});

test('components of an ecosystem whose advisories are not loaded are never called evaluated', async () => {
  const { scanner: one } = await startWithFeed();
  const digest = one.putSet([clean, { purl: 'pkg:cargo/serde@1.0.0' }]);
  await one.scan(digest);
  const { body } = await one.request(readCoverage, { digest });
  expect(body.coverage).toEqual({
    components: 2,
    evaluated: 1,
    undetermined: { feed_not_loaded: 1 },
  });
});

test('a completed scan has the revision that its findings are valid for; for a known set the applied one', async () => {
  const { feed, scanner: one } = await startWithFeed();
  const digest = one.putSet([clean]);
  await one.scan(digest);
  await feed.put('npm', { id: 'GHSA-first', name: 'elsewhere' });
  const revision = await one.nextRevision(1);
  await one.scan(digest);
  await one.scan(one.putSet([clean, left]));
  expect(one.completed.map((scan) => scan.evaluated_revision)).toEqual([1, revision, revision]);
  expect((await one.findings(digest)).revision).toBe(revision);
});

test('a set that was never evaluated has no findings, its coverage is null', async () => {
  const { scanner: one } = await startWithFeed();
  const digest = 'a'.repeat(64);
  await expect(one.findings(digest)).rejects.toMatchObject({ code: 'sbom_not_found' });
  expect((await one.request(readCoverage, { digest })).body.coverage).toBeNull();
});

test('a scan that comes before its components waits for them', async () => {
  const { scanner: one } = await startWithFeed();
  const digest = one.putSet([left]);
  const remainingRejections = one.rejectSet(digest, 'sbom_not_found', 2);
  await one.scan(digest);
  expect(remainingRejections()).toBe(0);
  expect(one.failed).toEqual([]);
  expect((await one.findings(digest)).findings).toHaveLength(1);
});

test('a scan whose components have not come in ten minutes is given up with a reason', async () => {
  const { scanner: one } = await startWithFeed();
  const sbomId = await one.requestScan('b'.repeat(64), new Date(Date.now() - 11 * 60_000));
  const failure = await eventually(
    () => one.failed.find(({ sbom_id }) => sbom_id === sbomId) ?? false,
    { what: 'the scan is given up' },
  );
  expect(failure).toMatchObject({ reason: expect.stringContaining('Upload the SBOM again') });
});

test('a set that cannot be read keeps no other scan of its lane waiting', async () => {
  const { scanner: one } = await startWithFeed();
  const poison = one.putSet([left, right]);
  one.breakSet(poison);
  const good = Array.from({ length: 60 }, (_, n) =>
    one.putSet([{ purl: `pkg:npm/left@1.2.${n}`, name: 'left', version: `1.2.${n}` }]),
  );
  const [before, after] = [good.slice(0, 20), good.slice(20)];
  for (const digest of [...before, poison, poison, ...after]) await one.requestScan(digest);
  await eventually(() => one.completed.length === good.length, {
    what: 'all other scans are completed',
  });
  expect(one.failed).toEqual([]);
  const errors = 'bomtrail_scans_total{lane="upload",result="error"';
  expect(await one.metric(errors)).toBeGreaterThanOrEqual(2);
});

describe('a change of the feed', () => {
  test('reaches exactly the sets that contain a package version with changed findings', async () => {
    const { feed, scanner: one } = await startWithFeed();
    const usingSet = one.putSet([left, clean]);
    const fixedSet = one.putSet([leftFixed, clean]);
    const stranger = one.putSet([right, clean]);
    for (const digest of [usingSet, fixedSet, stranger]) await one.scan(digest);
    const evaluatedBefore = await one.metric('bomtrail_package_versions_evaluated_total');

    await feed.put('npm', { id: 'GHSA-new', name: 'left', fixed: '1.9.0' });
    const revision = await one.nextRevision(1);
    await eventually(() => one.changed.length > 0, { what: 'a change is told' });

    expect(one.changed).toEqual([{ digest: usingSet, revision }]);
    // Two versions of `left`; nothing of `clean` or `right`.
    expect(await one.metric('bomtrail_package_versions_evaluated_total')).toBe(evaluatedBefore + 2);
    const result = await one.findings(usingSet);
    expect(result.revision).toBe(revision);
    expect(result.findings).toHaveLength(2);
    expect((await one.findings(fixedSet)).findings).toEqual([]);
  });

  test('stays unpublished while the catalog rejects it, and blocks no other set', async () => {
    const { feed, scanner: one } = await startWithFeed({ betweenSweeps: 1 });
    const [usingSet, other] = [one.putSet([left, clean]), one.putSet([left, right])];
    for (const digest of [usingSet, other]) await one.scan(digest);
    const sets = one.db.collection<{ _id: string }>('component_sets');
    one.refused.digests.add(usingSet);

    await feed.put('npm', { id: 'GHSA-new', name: 'left', fixed: '1.9.0' });
    const revision = await one.nextRevision(1);
    await eventually(
      async () => {
        expect(one.refused.count).toBeGreaterThan(0);
        expect(await sets.findOne({ _id: other })).toMatchObject({ published_revision: revision });
      },
      { what: 'the one set is refused and the other one is told' },
    );
    const noted = await sets.findOne({ _id: usingSet });
    expect(noted).toMatchObject({ unpublished: true, changed_revision: revision });
    expect(noted).not.toHaveProperty('published_revision');

    one.refused.digests.clear();
    await eventually(
      async () =>
        expect(await sets.findOne({ _id: usingSet })).toMatchObject({
          published_revision: revision,
        }),
      { what: 'the sweep has told it' },
    );
    expect(one.changed).toContainEqual({ digest: usingSet, revision });
    expect(await sets.countDocuments({ unpublished: true })).toBe(0);
  });

  test('that gives a clean version its first match, or withdraws its last, turns its holders', async () => {
    const { feed, scanner: one } = await startWithFeed();
    const digest = one.putSet([clean, right]);
    await one.scan(digest);
    const later = '2026-02-01T00:00:00Z';
    await feed.put('npm', { id: 'GHSA-first', name: 'clean' });
    await feed.put('PyPI', { id: 'PYSEC-1', name: 'right', modified: later, withdrawn: later });
    await one.nextRevision(1);
    await eventually(
      async () => {
        const { findings } = await one.findings(digest);
        expect(findings.map(({ package_key }) => package_key)).toEqual(['npm|clean']);
        // Told a moment after it is in force.
        expect(new Set(one.changed.map((change) => change.digest))).toEqual(new Set([digest]));
      },
      {
        what: 'the withdrawn finding is gone, the new one is there, both are told',
      },
    );
  });

  test('waits until the one before it has reached every set', async () => {
    const { feed, scanner: one } = await startWithFeed();
    const digest = one.putSet([clean]);
    await one.scan(digest);
    const remainingRejections = one.rejectSet(digest, 'service_unavailable', 1000);
    await feed.put('npm', { id: 'GHSA-first', name: 'clean' });
    await eventually(async () => expect((await one.state())?.revision).toBe(2), {
      what: 'the first change is in force',
    });
    await feed.put('npm', { id: 'GHSA-second', name: 'clean' });
    // Each look at the feed tries to settle first.
    await eventually(() => remainingRejections() <= 997, {
      what: 'the feed was looked at again',
    });
    expect(await one.state()).toMatchObject({ revision: 2, applied_revision: 1 });
    expect(await one.db.collection<{ _id: string }>('advisories').distinct('_id')).not.toContain(
      'GHSA-second',
    );

    one.rejectSet(digest, 'service_unavailable', 0);
    await one.nextRevision(2);
    expect((await one.findings(digest)).findings).toHaveLength(2);
  });

  test('that narrows a range takes the finding away', async () => {
    const { feed, scanner: one } = await startWithFeed();
    const digest = one.putSet([right]);
    await one.scan(digest);
    const modified = '2026-02-01T00:00:00Z';
    await feed.put('PyPI', { id: 'PYSEC-1', name: 'right', fixed: '1.0', modified });
    const revision = await one.nextRevision(1);
    await eventually(() => one.changed.length > 0, { what: 'the change is told' });
    expect(one.changed).toEqual([{ digest, revision }]);
    expect((await one.findings(digest)).findings).toEqual([]);
  });

  test('that joins two vulnerabilities by an alias makes one finding of two', async () => {
    const { feed, scanner: one } = await startWithFeed();
    await feed.put('npm', { id: 'GHSA-other', name: 'left', fixed: '1.9.0' });
    await one.nextRevision(1);
    const digest = one.putSet([left]);
    await one.scan(digest);
    expect((await one.findings(digest)).findings).toHaveLength(2);

    // An advisory of another package brings the link.
    const link = { id: 'LINK-1', name: 'elsewhere', aliases: ['GHSA-other', 'GHSA-aaaa'] };
    await feed.put('npm', link);
    await one.nextRevision(2);
    await eventually(() => one.changed.length > 0, { what: 'the change is told' });
    expect((await one.findings(digest)).findings).toHaveLength(1);
  });

  test('of texts only is published, too', async () => {
    const { feed, scanner: one } = await startWithFeed();
    const digest = one.putSet([right]);
    await one.scan(digest);
    const modified = '2026-02-01T00:00:00Z';
    const worded = { id: 'PYSEC-1', name: 'right', fixed: '3.0', modified, summary: 'Said better' };
    await feed.put('PyPI', worded);
    await one.nextRevision(1);
    await eventually(() => one.changed.length > 0, { what: 'the change is told' });
    const { vulnerabilities } = await one.findings(digest);
    expect(Object.values(vulnerabilities).map(({ title }) => title)).toEqual(['Said better']);
  });

  test('of a set that ingest no longer has deletes the set', async () => {
    const { feed, scanner: one } = await startWithFeed();
    const digest = one.putSet([clean]);
    await one.scan(digest);
    one.dropSet(digest);
    await feed.put('npm', { id: 'GHSA-first', name: 'clean' });
    await one.nextRevision(1);
    await expect(one.findings(digest)).rejects.toMatchObject({ code: 'sbom_not_found' });
  });
});
