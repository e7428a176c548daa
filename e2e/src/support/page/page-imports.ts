import type { ApiClient, ImportUpdate } from '@bomtrail/api-client';
import { hostileTexts } from './hostile-texts';

type Service = NonNullable<ImportUpdate['services']>[number];

const counts = {
  versions: 3,
  uploaded: 2,
  findings_there: 9,
  findings_here: 7,
  analyses: 4,
  decided: 2,
};

function service(project_id: string, left: Pick<Service, 'service' | 'refused' | 'unmatched'>) {
  const { refused, unmatched } = left;
  return {
    project_id,
    ...left,
    ...counts,
    refused_total: refused.length,
    unmatched_total: unmatched.length,
  };
}

/** An import that is complete, and one that failed, of which every text is hostile. */
export async function makeImports(
  client: ApiClient,
  { billing, hostile }: Record<'billing' | 'hostile', { id: string }>,
): Promise<{ importId: string; hostileImportId: string }> {
  const source = 'dependency-track' as const;
  const { id: importId } = await client.createImport({ source, source_version: '4.13.2' });
  const component = 'pkg:npm/parse-core-0@1.0.2';
  await client.updateImport(importId, {
    status: 'finished',
    services: [
      service(billing.id, {
        service: 'invoices',
        refused: [{ version: '2025.1', reason: 'The SBOM violates the schema of its format.' }],
        unmatched: [
          { vulnerability: 'CVE-2020-1', component, reason: 'not_found' },
          { vulnerability: 'CVE-2026-10000', component, reason: 'stays_open' },
        ],
      }),
      service(billing.id, { service: 'payments', refused: [], unmatched: [] }),
    ],
    skipped_total: 1,
    skipped: [{ name: 'Portfolio', version: '', reason: 'collection' }],
    policies: [
      { policy: 'Severe', setting: 'fail_on: critical', note: '' },
      { policy: 'Old packages', setting: null, note: 'AGE has no setting here.' },
    ],
  });
  const { id: hostileImportId } = await client.createImport({
    source,
    source_version: (hostileTexts[0] ?? '').slice(0, 100),
  });
  await client.updateImport(hostileImportId, {
    status: 'failed',
    error: hostileTexts.join(' ').slice(0, 2000),
    services: hostileTexts.map((text, n) =>
      service(hostile.id, {
        service: `${n} ${text}`.slice(0, 255),
        refused: [{ version: text.slice(0, 1000), reason: text.slice(0, 2000) }],
        unmatched: [named(text)],
      }),
    ),
    skipped_total: 1,
    skipped: [{ name: hostileTexts[1] ?? '', version: hostileTexts[2] ?? '', reason: 'no_sbom' }],
  });
  return { importId, hostileImportId };
}

function named(text: string): Service['unmatched'][number] {
  const vulnerability = text.slice(0, 1000);
  return { vulnerability, component: text.slice(0, 4096), reason: text.slice(0, 100) };
}
