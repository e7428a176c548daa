import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hostileTexts } from './hostile-texts';

const vectors = {
  critical: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H',
  high: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N',
  medium: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:L/I:N/A:N',
  low: 'CVSS:3.1/AV:L/AC:H/PR:N/UI:R/S:U/C:L/I:N/A:N',
};
const severities = ['critical', 'high', 'medium', 'medium', 'low', null] as const;
const titles = [
  'Prototype pollution through crafted keys',
  'Regular expression denial of service in the parser',
  'Path traversal when unpacking archives',
  'Open redirect after sign-in',
  'Cross-site scripting in rendered errors',
  'Credentials in debug output',
];

/** Packages of the data set, each with vulnerable versions below 1.0.9. */
export const packages = Array.from(
  { length: 24 },
  (_, n) =>
    `${['parse', 'http', 'yaml', 'auth', 'image', 'queue'][n % 6]}-${['core', 'kit', 'stream', 'lite'][n % 4]}-${n}`,
);

export interface PageFeeds {
  advisories: string;
  kev: string;
  epss: string;
  discard(): Promise<void>;
}

/** Advisories of npm for `packages`, hostile ones, and risk data for some of them, on disk. */
export async function makePageFeeds(): Promise<PageFeeds> {
  const root = await mkdtemp(path.join(tmpdir(), 'bomtrail-page-'));
  const folder = path.join(root, 'osv', 'npm');
  await mkdir(folder, { recursive: true });
  const records = [...packages.flatMap(advisoriesOf), ...hostileTexts.map(hostileAdvisory)];
  for (const record of records) {
    await writeFile(path.join(folder, `${record.id}.json`), JSON.stringify(record));
  }
  const kev = path.join(root, 'kev.json');
  await writeFile(kev, JSON.stringify(kevCatalog(['CVE-2026-10000', 'CVE-2026-10006'])));
  const epss = path.join(root, 'epss.csv');
  await writeFile(epss, epssScores(records.map(({ id }) => id)));
  return {
    advisories: path.join(root, 'osv'),
    kev,
    epss,
    discard: () => rm(root, { recursive: true, force: true }),
  };
}

function advisoriesOf(name: string, n: number) {
  return Array.from({ length: 1 + (n % 3) }, (_, k) => {
    const severity = severities[(n + k) % severities.length];
    return {
      id: `CVE-2026-${10_000 + n * 3 + k}`,
      aliases: [`GHSA-page-${String(n).padStart(4, '0')}-${String(k).padStart(4, '0')}`],
      modified: '2026-06-01T00:00:00Z',
      published: `2026-0${1 + (n % 6)}-1${k}T08:00:00Z`,
      summary: `${titles[(n + k) % titles.length]} of ${name}`,
      details: `An attacker who controls the input of ${name} can reach code that trusts it.\n\n## Impact\n\nServices that read documents of others are affected.`,
      ...(severity ? { severity: [{ type: 'CVSS_V3', score: vectors[severity] }] } : {}),
      affected: [
        {
          package: { ecosystem: 'npm', name },
          ranges: [
            {
              type: 'SEMVER',
              events:
                n % 5 === 4
                  ? [{ introduced: '0' }]
                  : [{ introduced: '0' }, { fixed: `1.0.${7 + k}` }],
            },
          ],
        },
      ],
      references: [
        { type: 'ADVISORY', url: `https://example.org/advisories/${name}` },
        { type: 'FIX', url: `https://example.org/${name}/commit/1` },
      ],
    };
  });
}

function hostileAdvisory(hostile: string, n: number) {
  return {
    id: `CVE-2026-${90_000 + n}`,
    modified: '2026-06-01T00:00:00Z',
    summary: hostile,
    details: hostile,
    severity: [{ type: 'CVSS_V3', score: vectors.medium }],
    affected: [{ package: { ecosystem: 'npm', name: `hostile-${n}` }, versions: ['1.0.0'] }],
    references: [{ type: 'WEB', url: 'javascript:window.broken=true' }],
  };
}

function kevCatalog(ids: readonly string[]) {
  return {
    title: 'CISA Catalog of Known Exploited Vulnerabilities',
    catalogVersion: '2026.08.07',
    dateReleased: '2026-08-07T16:45:47.0648Z',
    count: ids.length,
    vulnerabilities: ids.map((cveID, n) => ({
      cveID,
      vendorProject: 'Example',
      product: 'Example',
      vulnerabilityName: 'Example',
      dateAdded: '2026-05-12',
      shortDescription: 'Example.',
      requiredAction: 'Apply updates.',
      dueDate: '2026-06-02',
      knownRansomwareCampaignUse: n === 0 ? 'Known' : 'Unknown',
      notes: '',
      cwes: [],
    })),
  };
}

function epssScores(ids: readonly string[]): string {
  const lines = ids.map((id, n) => {
    const percentile = ((n * 37) % 97) / 100;
    return `${id},${(percentile ** 4).toFixed(5)},${percentile.toFixed(5)}`;
  });
  return [
    '#model_version:v2026.03.14,score_date:2026-08-15T00:00:00+0000',
    'cve,epss,percentile',
    ...lines,
    '',
  ].join('\n');
}
