import type { SbomReference } from '@bomtrail/messages';
import { accept } from './deletion-helpers';
import type { FakeCatalog, RegisteredService } from './fake-catalog';
import type { StoredVulnerability } from './service';
import type { TestReconciler } from './start-reconciler';

export const lodash = 'lodash@1.0.0 GHSA-1 PYSEC-1 CVE-1';
export const axios = 'axios@0.1.0 GHSA-2';
export const vue = 'vue@1.0.0 GHSA-3';

/** A service with a vulnerability in every status. */
export interface NotifiedService {
  service: RegisteredService;
  uploads: SbomReference[];
  vulnerability: (status: string) => StoredVulnerability;
}

/** A service with three SBOMs, and an open, a fixed, an accepted and a merged vulnerability. */
export async function notifiedService(
  harness: TestReconciler,
  catalog: FakeCatalog,
): Promise<NotifiedService> {
  const service = catalog.newService();
  const first = harness.newSet('lodash@1.0.0 GHSA-1', 'lodash@1.0.0 PYSEC-1', axios);
  const uploads = [await service.scanned(first)];
  harness.setScan(first, lodash, axios);
  harness.revisions.set(first, 2);
  await harness.finish({ ...(uploads[0] as SbomReference), lane: 'rescan', revision: 2 });
  for (const found of [[lodash], [lodash, vue]]) {
    const digest = harness.newSet(...found);
    harness.revisions.set(digest, 2);
    uploads.push(await service.scanned(digest));
  }
  await accept(harness, service, { service: true });
  const documents = await service.documents();
  const vulnerability = (status: string): StoredVulnerability => {
    const found = documents.find((document) => document.status === status);
    if (!found) throw new Error(`No vulnerability is ${status}.`);
    return found;
  };
  for (const status of ['open', 'fixed', 'accepted', 'merged']) vulnerability(status);
  return { service, uploads, vulnerability };
}
