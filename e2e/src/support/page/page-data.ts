import { waitForScan, type ApiClient } from '@bomtrail/api-client';
import { npmDocument } from '../examples';
import { hostileTexts } from './hostile-texts';
import { packages } from './page-advisories';

const scanMs = 60_000;
const old = (from: number, to: number) => packages.slice(from, to).map((name) => `${name}@1.0.2`);
const fixed = (from: number, to: number) => packages.slice(from, to).map((name) => `${name}@2.0.0`);

/** What stands in the test stack; names are those that the tests look for. */
export interface PageData {
  shop: { id: string; slug: string };
  hostile: { id: string; slug: string };
}

/** Projects with several versions, and one of which every text is hostile. */
export async function makePageData(client: ApiClient): Promise<PageData> {
  const upload = async (
    project_id: string,
    of: { service_name: string; version: string; contents: readonly string[] },
  ) => {
    const { service_name, version, contents } = of;
    const file = npmDocument(`${service_name} ${version}`, contents);
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
  await upload(shop.id, { service_name: 'image-proxy', version: '0.9.0', contents: old(12, 24) });
  await upload(billing.id, {
    service_name: 'invoices',
    version: '2026.11',
    contents: [...old(0, 6), ...fixed(6, 12)],
  });
  const hostile = await client.createProject({ name: hostileTexts[1] ?? '' });
  await upload(hostile.id, {
    service_name: (hostileTexts[2] ?? '').slice(0, 255),
    version: (hostileTexts[0] ?? '').slice(0, 255),
    contents: hostileTexts.map((_, n) => `hostile-${n}@1.0.0`),
  });
  return { shop, hostile };
}
