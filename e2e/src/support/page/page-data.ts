import { waitForScan, type ApiClient } from '@bomtrail/api-client';
import { npmDocument } from '../examples';
import { makeImports } from './page-imports';
import { hostileTexts } from './hostile-texts';
import { packages } from './page-advisories';

const scanMs = 60_000;
const old = (from: number, to: number) => packages.slice(from, to).map((name) => `${name}@1.0.2`);
const fixed = (from: number, to: number) => packages.slice(from, to).map((name) => `${name}@2.0.0`);

/** What stands in the test stack; names are those that the tests look for. */
export interface PageData {
  shop: { id: string; slug: string };
  billing: { id: string; slug: string };
  hostile: { id: string; slug: string };
  /** A document whose two statements apply nowhere. */
  vexId: string;
  importId: string;
  /** An import that failed, of which every text is hostile. */
  hostileImportId: string;
}

/** Projects with several versions, and one of which every text is hostile. */
export async function makePageData(client: ApiClient): Promise<PageData> {
  const upload = async (
    project_id: string,
    of: {
      service_name: string;
      version: string;
      contents: readonly string[];
      chained?: boolean;
      licences?: readonly string[];
    },
  ) => {
    const { service_name, version, contents } = of;
    const document = npmDocument(`${service_name} ${version}`, contents);
    const file = of.licences
      ? licensed(document, of.licences)
      : of.chained
        ? chained(document)
        : document;
    const { id } = await client.upload({ project_id, service_name, version, file });
    await waitForScan(client, id, scanMs);
  };
  const shop = await client.createProject({ name: 'Web Shop' });
  const billing = await client.createProject({ name: 'Billing' });
  await upload(shop.id, { service_name: 'checkout', version: '1.0.0', contents: old(0, 10) });
  await upload(shop.id, {
    service_name: 'checkout',
    version: '1.1.0',
    contents: [...old(2, 14), ...fixed(0, 2)],
  });
  await upload(shop.id, {
    service_name: 'checkout',
    version: '1.2.0',
    contents: [...old(0, 1), ...old(6, 20), ...fixed(1, 6), 'left-pad@1.3.0'],
  });
  await upload(shop.id, { service_name: 'catalogue', version: '3.4.1', contents: old(4, 18) });
  await upload(shop.id, {
    service_name: 'image-proxy',
    version: '0.9.0',
    contents: old(12, 24),
    chained: true,
  });
  await upload(billing.id, {
    service_name: 'invoices',
    version: '2026.11',
    contents: [...old(0, 6), ...fixed(6, 12)],
  });
  const vex = await client.importVex(Buffer.from(JSON.stringify(statements)), shop.id);
  await client.createDecisionRule(billing.id, {
    name: 'Nothing there',
    filter: { package_name: 'nothing*', severity: ['low'] },
    decision: 'not_affected',
    justification: 'component_not_present',
    reason: 'Never shipped.',
  });
  const hostile = await client.createProject({ name: hostileTexts[1] ?? '' });
  await upload(hostile.id, {
    service_name: (hostileTexts[2] ?? '').slice(0, 255),
    version: (hostileTexts[0] ?? '').slice(0, 255),
    contents: hostileTexts.map((_, n) => `hostile-${n}@1.0.0`),
    licences: hostileTexts,
  });
  const imported = await makeImports(client, { billing, hostile });
  return { shop, billing, hostile, vexId: vex.id, ...imported };
}

/** About a product that no SBOM has, and a vulnerability that none has. */
const statements = {
  '@context': 'https://openvex.dev/ns/v0.2.0',
  '@id': 'https://example.com/vex',
  author: 'Example',
  timestamp: '2026-01-01T00:00:00Z',
  version: 1,
  statements: ['CVE-2026-10000', 'CVE-1999-1'].map((name) => ({
    vulnerability: { name },
    products: [{ '@id': 'pkg:npm/of-nobody' }],
    status: 'not_affected',
    justification: 'component_not_present',
  })),
};

/** A document that says of npm packages that they are not affected by the vulnerability known to be exploited. */
export function vexAbout(packages: readonly string[]): Buffer {
  const document = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    '@id': 'https://example.com/billing',
    author: 'Billing',
    timestamp: '2026-06-01T00:00:00Z',
    version: 1,
    statements: packages.map((name) => ({
      vulnerability: { name: 'CVE-2026-10000' },
      products: [{ '@id': `pkg:npm/${name}` }],
      status: 'not_affected',
      justification: 'vulnerable_code_not_in_execute_path',
    })),
  };
  return Buffer.from(JSON.stringify(document));
}

interface Documented {
  metadata: { component: object };
  components: { purl: string }[];
}

/** The document with a licence for each component, by its name. */
function licensed(document: Buffer, licences: readonly string[]): Buffer {
  const { components, ...rest } = JSON.parse(document.toString()) as Documented;
  const named = components.map((component, n) => ({
    ...component,
    licenses: [{ license: { name: licences[n] || 'none' } }],
  }));
  return Buffer.from(JSON.stringify({ ...rest, components: named }));
}

/** The document with a graph in which the root needs the first component, and each one the next. */
function chained(document: Buffer): Buffer {
  const { metadata, components, ...rest } = JSON.parse(document.toString()) as Documented;
  const refs = ['root', ...components.map(({ purl }) => purl)];
  const withGraph = {
    ...rest,
    metadata: { component: { ...metadata.component, 'bom-ref': 'root' } },
    components: components.map((one) => ({ ...one, 'bom-ref': one.purl })),
    dependencies: refs.map((ref, at) => ({ ref, dependsOn: refs.slice(at + 1, at + 2) })),
  };
  return Buffer.from(JSON.stringify(withGraph));
}
