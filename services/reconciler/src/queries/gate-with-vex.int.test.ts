import { gunzipSync, gzipSync } from 'node:zlib';
import {
  countFindings,
  hasVex,
  judgeComponents,
  judgeDocument,
  type CheckedVulnerability,
  type ComponentsJudgement,
  type FailingVulnerability,
  type SbomReference,
} from '@bomtrail/messages';
import { bytesOf, serveFakeVex, type FakeVex } from '../testing/fake-vex';
import { TestService } from '../testing/service';
import { startReconciler, type TestReconciler } from '../testing/start-reconciler';

let harness: TestReconciler;
let fake: FakeVex;

beforeAll(async () => {
  harness = await startReconciler();
  fake = serveFakeVex(harness);
});
afterAll(() => harness?.stop());

const finding = 'lodash@1.0.0 GHSA-1 CVE-1';
const components = ['lodash@1.0.0'];
const rule = { fail_on: 'low', only_new: false } as const;

/** Says that CVE-1 does not affect this product. */
const notAffected = (product: string): object =>
  says(product, { status: 'not_affected', justification: 'vulnerable_code_not_present' });

const says = (product: string, status: object): object => ({
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://example.com/vex',
  author: 'Example',
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  statements: [{ vulnerability: { name: 'CVE-1' }, products: [{ '@id': product }], ...status }],
});

/** How many findings of an SBOM fail the gate, and how many a decision takes out. */
async function judged({ service_id, sbom_id, digest }: SbomReference): Promise<object> {
  const sbom = { sbom_id, digest };
  const query = { service_id, sbom, baseline: 'none', ...rule } as const;
  const { failing, decided } = (await harness.bus.request(countFindings, query)).body;
  return { failing, not_affected: decided.not_affected };
}

test.each([
  ['app@1.0.0', { failing: 0, not_affected: 1 }, { failing: 1, not_affected: 0 }],
  ['app@2.0.0', { failing: 1, not_affected: 0 }, { failing: 0, not_affected: 1 }],
  ['app', { failing: 0, not_affected: 1 }, { failing: 0, not_affected: 1 }],
])(
  'what a document says of %s holds for the SBOM that it is about, whichever is the newest',
  async (product, ofOlder, ofNewer) => {
    const service = new TestService(harness);
    await fake.importVex(notAffected(`pkg:npm/${product}`), service.project_id);
    const older = await fake.upload(service, { root: 'app@1.0.0', components }, finding);
    expect(await judged(older)).toEqual(ofOlder);
    const newer = await fake.upload(service, { root: 'app@2.0.0', components }, finding);
    expect([await judged(older), await judged(newer)]).toEqual([ofOlder, ofNewer]);
  },
);

test('a verdict on the newest SBOM names the stored decisions of documents', async () => {
  const service = new TestService(harness);
  await fake.importVex(says('pkg:npm/app', { status: 'under_investigation' }), service.project_id);
  const { service_id, sbom_id, digest } = await fake.upload(
    service,
    { root: 'app@1.0.0', components },
    finding,
  );
  const sbom = { sbom_id, digest };
  const query = { service_id, sbom, baseline: 'none', ...rule } as const;
  const { attachment } = await harness.bus.request(countFindings, query);
  const failing = JSON.parse(gunzipSync(attachment ?? '').toString()) as FailingVulnerability[];
  const { project_id } = service;
  const stored = await harness.db.collection('acceptances').findOne({ project_id });
  expect(failing).toMatchObject([{ decision: { acceptance_id: stored?._id, source: 'vex' } }]);
});

describe('a document that is only checked', () => {
  let service: TestService;
  beforeAll(async () => {
    service = new TestService(harness);
    await fake.importVex(notAffected('pkg:npm/app@1.0.0'), service.project_id);
    await fake.upload(service, { root: 'app@1.0.0', components }, finding);
  });

  /** The status of its one finding; `root`: with the document itself. */
  async function checked(root?: string, service_id: string | null = service.service_id) {
    const packed = gzipSync(JSON.stringify([{ name: harness.newSet(finding) }]));
    const { project_id } = service;
    const baseline = 'none' as const;
    const query = { ...rule, roots: [], project_id, service_id, baseline };
    const document = bytesOf({ root: root ?? '', components });
    const { body, attachment } = root
      ? await harness.bus.request(
          judgeDocument,
          { ...query, component_bytes: packed.length, size: document.length },
          [packed, gzipSync(document)],
        )
      : await harness.bus.request(judgeComponents, query, packed);
    return statusIn(body, Buffer.from(attachment ?? ''));
  }

  function statusIn({ failing_bytes }: ComponentsJudgement, bytes: Buffer): string | undefined {
    const all = JSON.parse(gunzipSync(bytes.subarray(failing_bytes)).toString());
    return (all as CheckedVulnerability[])[0]?.status;
  }

  test.each([
    ['is decided where a statement is about it', 'app@1.0.0', 'not_affected'],
    ['is not decided by what is about another version', 'app@2.0.0', 'open'],
    ['is not decided without being at hand', undefined, 'open'],
  ])('%s', async (_text, root, status) => {
    expect(await checked(root)).toBe(status);
  });

  test('is decided as the first of a service, too', async () => {
    expect(await checked('app@1.0.0', null)).toBe('not_affected');
  });

  test('is needed only in a project with documents', async () => {
    const has = async ({ project_id }: TestService) =>
      (await harness.bus.request(hasVex, { project_id })).body.has_vex;
    expect([await has(service), await has(new TestService(harness))]).toEqual([true, false]);
  });
});
