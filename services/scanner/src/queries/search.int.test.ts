import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  findAdvisory,
  findPackageSets,
  listUndetermined,
  readFeeds,
  type PackageQuery,
  type PackageSets,
  type UndeterminedComponent,
} from '@bomtrail/messages';
import { MATCHING_RULES_VERSION } from '@bomtrail/osv';
import { unpackJson } from '@bomtrail/messaging';
import { eventually, startTestServers, type TestServers } from '@bomtrail/testkit';
import { makeFeedFolder, type FeedFolder } from '../testing/feed-folder';
import { startScanner, type ScannerUnderTest } from '../testing/scanner-under-test';

let servers: TestServers;
let scanner: ScannerUnderTest;
let feed: FeedFolder;
/** By a short name. */
const digests: Record<string, string> = {};

const lodash = { purl: 'pkg:npm/lodash@4.17.15', name: 'lodash', version: '4.17.15' };
const zope = { purl: 'pkg:pypi/Zope.Interface@5.0', name: 'Zope.Interface', version: '5.0' };
const goModule = {
  purl: 'pkg:golang/example.org/m@v1.2.3',
  name: 'example.org/m',
  version: 'v1.2.3',
};
const lowerCaseModule = {
  purl: 'pkg:golang/github.com/masterminds/goutils@v1.1.0',
  name: 'github.com/masterminds/goutils',
  version: 'v1.1.0',
};
const libssl = {
  purl: 'pkg:deb/debian/libssl3@3.0.9-1?arch=amd64&distro=debian-12&upstream=openssl',
  name: 'libssl3',
  version: '3.0.9-1',
};
const generic = { purl: 'pkg:generic/OpenSSL@3.1?x=y', name: 'OpenSSL', version: '3.1' };
const nameless = { purl: null, name: 'Tiny Tool', version: '' };
const unversioned = { purl: 'pkg:npm/left-pad', name: 'left-pad', version: '' };
const mirrored = {
  purl: 'pkg:maven/g/a@1.0?repository_url=https://mirror.example/m2',
  name: 'g:a',
  version: '1.0',
};

beforeAll(async () => {
  servers = await startTestServers();
  feed = await makeFeedFolder();
  await feed.put('npm', { id: 'GHSA-aaaa-bbbb', name: 'lodash', aliases: ['CVE-2026-1'] });
  await feed.put('npm', {
    id: 'TEST-2',
    name: 'gone',
    aliases: ['CVE-2026-2'],
    withdrawn: '2026-01-02T00:00:00Z',
  });
  await feed.put('PyPI', { id: 'PYSEC-1', name: 'zope-interface', aliases: ['CVE-2026-1'] });
  await feed.put('npm', { id: 'TEST-3', name: 'qs', fixed: '2.0.0' });
  scanner = await startScanner(servers, {
    source: feed.path,
    name: 'search',
    seconds: { betweenSweeps: 1 },
  });
  const put = async (name: string, ...components: Parameters<typeof scanner.putSet>[0]) => {
    const digest = scanner.putSet(components);
    digests[name] = digest;
    await scanner.scan(digest);
  };
  await put('one', lodash, zope, goModule);
  await put('lower', lowerCaseModule);
  await put('upper', {
    purl: 'pkg:golang/github.com/Masterminds/goutils@v1.1.1',
    name: 'github.com/Masterminds/goutils',
    version: 'v1.1.1',
  });
  await put('two', { ...lodash, purl: 'pkg:npm/lodash@4.17.21', version: '4.17.21' }, libssl);
  await put('odd', generic, nameless, unversioned, mirrored);
});
afterAll(async () => {
  await scanner?.stop();
  await feed?.discard();
  await servers?.stop();
});

async function find(query: Partial<PackageQuery>) {
  const request = { purl: null, name: null, version: null, ...query };
  const { body, attachment } = await scanner.request(findPackageSets, request);
  const { packages, sets } = (await unpackJson(attachment ?? Buffer.alloc(0))) as PackageSets;
  expect(body.sets).toBe(Object.keys(sets).length);
  return { complete: body.complete, packages, sets };
}

/** The short names of the sets that hold it. */
async function affectedSets(query: Partial<PackageQuery>): Promise<string> {
  const { sets } = await find(query);
  return Object.keys(digests)
    .filter((name) => (digests[name] ?? '') in sets)
    .join(' ');
}

describe('the sets that hold a package are found', () => {
  test.each<[string, string]>([
    ['pkg:npm/lodash', 'one two'],
    ['pkg:npm/lodash@4.17.15', 'one'],
    ['pkg:npm/lodash@v4.17.15?x=y#sub', 'one'],
    ['pkg:npm/lodash@4', ''],
    ['pkg:npm/Lodash', ''],
    ['pkg:pypi/lodash', ''],
    ['pkg:pypi/zope_interface@5.0', 'one'],
    ['pkg:golang/example.org/m@v1.2.3', 'one'],
    ['pkg:golang/example.org/m@1.2.3', 'one'],
    ['pkg:golang/github.com/Masterminds/goutils', 'lower upper'],
    ['pkg:golang/github.com/masterminds/goutils', 'lower upper'],
    ['pkg:golang/github.com/Masterminds/goutils@v1.1.0', 'lower'],
    ['pkg:golang/github.com/Masterminds/goutils/sub', ''],
    ['pkg:deb/debian/libssl3', 'two'],
    ['pkg:deb/debian/libssl3@3.0.9-1', 'two'],
    ['pkg:deb/debian/openssl@3.0.9-1', 'two'],
    ['pkg:deb/debian/openssl@3.0.9-1?distro=debian-11', ''],
    ['pkg:deb/debian/libssl3@3.0.9-2', ''],
    ['pkg:generic/OpenSSL@3.1', 'odd'],
    ['pkg:generic/OpenSSL', 'odd'],
    ['pkg:npm/left-pad', 'odd'],
    ['pkg:maven/g/a@1.0', 'odd'],
    ['pkg:maven/g/a@1.0?repository_url=https://mirror.example/m2', 'odd'],
    ['pkg:maven/g/a@1.0?repository_url=https://other.example/m2', ''],
  ])('by the purl %s: %p', async (purl, expected) => {
    expect(await affectedSets({ purl })).toBe(expected);
  });

  test('by a purl without a version and a version beside it', async () => {
    expect(await affectedSets({ purl: 'pkg:npm/lodash', version: '4.17.21' })).toBe('two');
  });

  test.each<[string, string | null, string]>([
    ['LODASH', null, 'one two'],
    ['lodash', '4.17.21', 'two'],
    ['lodas', null, ''],
    ['zope.interface', '5.0', 'one'],
    ['zope-interface', null, 'one'],
    ['example.org/m', 'v1.2.3', 'one'],
    ['libssl3', '3.0.9-1', 'two'],
    ['openssl', null, 'two odd'],
    ['tiny tool', null, 'odd'],
    ['tiny tool', '1', ''],
    ['G:A', '1.0', 'odd'],
    ['.*', null, ''],
  ])('by the name %s in version %p: %p', async (name, version, expected) => {
    expect(await affectedSets({ name, version })).toBe(expected);
  });

  test('with what they hold and whether it is affected, where that is known', async () => {
    const { packages, sets, complete } = await find({ name: 'openssl' });
    expect(complete).toBe(true);
    expect(packages).toEqual([
      {
        name: 'OpenSSL',
        version: '3.1',
        purl: 'pkg:generic/OpenSSL@3.1',
        ecosystem: null,
        affected: null,
      },
      // Debian is not in the feed.
      { name: 'openssl', version: '3.0.9-1', purl: null, ecosystem: 'Debian', affected: null },
    ]);
    expect(sets).toEqual({ [digests['odd'] ?? '']: [0], [digests['two'] ?? '']: [1] });
    const npm = await find({ purl: 'pkg:npm/lodash' });
    expect(npm.packages.map(({ version, affected }) => [version, affected])).toEqual([
      ['4.17.15', true],
      ['4.17.21', true],
    ]);
    const unknown = await find({ name: 'nobody-has-this' });
    expect(unknown).toEqual({ complete: true, packages: [], sets: {} });
  });

  test('from indexes, for every query', async () => {
    await scanner.db.command({ profile: 2 });
    await find({ name: 'lodash' });
    await find({ purl: 'pkg:generic/OpenSSL' });
    await scanner.db.command({ profile: 0 });
    const seen = await scanner.db
      .collection('system.profile')
      .find({ op: { $ne: 'update' } })
      .toArray();
    const plans = (name: string) =>
      seen
        .filter(({ ns }) => (ns as string).endsWith(`.${name}`))
        .map(({ planSummary }) => String(planSummary));
    for (const name of ['package_versions', 'component_names', 'component_set_members']) {
      expect([name, plans(name).length > 0]).toEqual([name, true]);
      expect(plans(name).filter((plan) => !/^(IXSCAN|IDHACK|EXPRESS)/.test(plan))).toEqual([]);
    }
  });

  test('incompletely while a set was evaluated by older rules', async () => {
    const sets = scanner.db.collection<{ _id: string; rules: number }>('component_sets');
    const members = scanner.db.collection<{ digest: string }>('component_set_members');
    const digest = digests['odd'] ?? '';
    await members.deleteMany({ digest });
    await sets.updateOne({ _id: digest }, { $set: { rules: MATCHING_RULES_VERSION - 1 } });
    const { complete } = await find({ name: 'tiny tool' });
    // The sweep may have been faster than the question.
    if (!complete) expect(complete).toBe(false);
    await eventually(
      async () =>
        (await find({ name: 'tiny tool' })).complete &&
        (await affectedSets({ name: 'tiny tool' })) === 'odd',
      { what: 'the set is placed anew' },
    );
  });
});

describe('the components that could not be judged', () => {
  async function list(digest: string, rest: { reason?: string; page?: number; per_page?: number }) {
    const query = { page: 1, per_page: 200, ...rest, digest };
    const { body, attachment } = await scanner.request(listUndetermined, query);
    const items = (await unpackJson(attachment ?? Buffer.alloc(0))) as UndeterminedComponent[];
    return { ...body, items };
  }
  const reasons = (items: UndeterminedComponent[]) =>
    items.map(({ name, reason }) => `${name} ${reason}`);

  test('are listed in their order, each with the reason under which the coverage counts it', async () => {
    const { items, total, coverage, advisory_data } = await list(digests['odd'] ?? '', {});
    expect(reasons(items)).toEqual([
      'OpenSSL unknown_ecosystem',
      'Tiny Tool no_purl',
      'left-pad no_version',
      'g:a feed_not_loaded',
    ]);
    expect([total, advisory_data]).toEqual([4, 'feed']);
    expect(coverage).toEqual({
      components: 4,
      evaluated: 0,
      undetermined: { unknown_ecosystem: 1, no_purl: 1, no_version: 1, feed_not_loaded: 1 },
    });
    expect(items[1]).toEqual({ ...nameless, advisory_ids: [], reason: 'no_purl' });
    const judged = await list(digests['one'] ?? '', {});
    expect(reasons(judged.items)).toEqual(['example.org/m feed_not_loaded']);
  });

  test('come in pages and by reason', async () => {
    const digest = digests['odd'] ?? '';
    const pages = await Promise.all([1, 2, 3].map((page) => list(digest, { page, per_page: 2 })));
    expect(pages.map(({ items, total }) => [items.length, total])).toEqual([
      ...[
        [2, 4],
        [2, 4],
        [0, 4],
      ],
    ]);
    expect(reasons((await list(digest, { reason: 'no_purl' })).items)).toEqual([
      'Tiny Tool no_purl',
    ]);
    expect((await list(digest, { reason: 'feed_stale' })).total).toBe(0);
  });

  test('hold those whose version the comparer cannot read', async () => {
    const digest = scanner.putSet([
      { purl: 'pkg:npm/qs@not-a-version', name: 'qs', version: 'not-a-version' },
      lodash,
    ]);
    await scanner.scan(digest);
    expect(reasons((await list(digest, {})).items)).toEqual(['qs unreadable_version']);
  });

  test('are nothing to tell of while the set was not evaluated', async () => {
    const { items, total, coverage } = await list('f'.repeat(64), {});
    expect({ items, total, coverage }).toEqual({ items: [], total: 0, coverage: null });
  });

  test('of a set with 20,000 of them are answered page by page', async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({
      purl: `pkg:generic/thing-${index}@1`,
      name: `thing-${index}`,
      version: '1',
    }));
    const digest = scanner.putSet(many);
    await scanner.scan(digest);
    const last = await list(digest, { page: 100 });
    expect([last.total, last.items.at(-1)?.name]).toEqual([20_000, 'thing-19999']);
    expect(await find({ name: 'thing-17777' })).toMatchObject({ sets: { [digest]: [0] } });
  });
});

describe('an id of a vulnerability', () => {
  const ask = async (id: string) => (await scanner.request(findAdvisory, { id })).body;

  test.each(['GHSA-aaaa-bbbb', 'ghsa-AAAA-bbbb', 'cve-2026-1', 'CVE-2026-1', 'pysec-1'])(
    '%s tells every id of its group',
    async (id) => {
      expect(await ask(id)).toEqual({
        known: true,
        withdrawn: false,
        advisory_data: 'feed',
        ids: ['CVE-2026-1', 'GHSA-aaaa-bbbb', 'PYSEC-1'],
      });
    },
  );

  test('of a withdrawn advisory is known, and one of none is not', async () => {
    expect(await ask('CVE-2026-2')).toMatchObject({ known: true, withdrawn: true });
    expect(await ask('CVE-1999-1')).toMatchObject({ known: false, ids: [], withdrawn: false });
  });
});

test('every ecosystem says on what it stands', async () => {
  const { body } = await scanner.request(readFeeds, {});
  expect(body).toMatchObject({ advisory_data: 'feed', revision: 1, applied: true });
  const [npm] = body.feeds.filter(({ ecosystem }) => ecosystem === 'npm');
  expect(npm).toMatchObject({
    data_status: 'feed',
    source: feed.path,
    records: 3,
    last_error: null,
  });
  const [maven] = body.feeds.filter(({ ecosystem }) => ecosystem === 'Maven');
  expect(maven).toMatchObject({
    data_status: 'feed_not_loaded',
    source: null,
    as_of: null,
    records: 0,
  });
});
