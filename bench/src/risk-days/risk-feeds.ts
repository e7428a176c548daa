import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Distinct vulnerabilities of a generated database; the first ones are the most common. */
const vulnerabilityCount = 20_000;

/** The CVE of a generated vulnerability (the reconciler's `measure/generated-vulnerabilities.ts`). */
function cveOf(number: number): string {
  return `CVE-${2015 + (number % 11)}-${10_000 + number}`;
}

/** Both feeds of a day, as files. */
export interface RiskFeeds {
  kev: string;
  epss: string;
  /** @param exploited of the most common vulnerabilities, so many are known to be exploited */
  publishKev(exploited: number): void;
  /** A day on which every vulnerability has another score than the day before. */
  publishEpss(day: number): void;
}

export function createRiskFeeds(folder: string): RiskFeeds {
  mkdirSync(folder, { recursive: true });
  const kev = join(folder, 'kev.json');
  const epss = join(folder, 'epss.csv');
  const replace = (file: string, text: string): void => {
    writeFileSync(`${file}.new`, text);
    renameSync(`${file}.new`, file);
  };
  return {
    kev,
    epss,
    publishKev: (exploited) => replace(kev, JSON.stringify(catalogOf(exploited))),
    publishEpss: (day) => replace(epss, scoresOf(day)),
  };
}

function catalogOf(exploited: number) {
  const vulnerabilities = Array.from({ length: exploited }, (_, number) => ({
    cveID: cveOf(number),
    vendorProject: 'Example',
    product: 'Example',
    vulnerabilityName: 'Example',
    dateAdded: '2026-05-12',
    shortDescription: 'Example.',
    requiredAction: 'Apply updates.',
    dueDate: '2026-06-02',
    knownRansomwareCampaignUse: 'Unknown',
    notes: '',
    cwes: [],
  }));
  return {
    title: 'Known exploited vulnerabilities',
    catalogVersion: `2026.08.${exploited}`,
    dateReleased: '2026-08-07T16:45:47.0648Z',
    count: exploited,
    vulnerabilities,
  };
}

function scoresOf(day: number): string {
  const date = new Date(Date.UTC(2026, 7, day)).toISOString().slice(0, 10);
  const lines = Array.from({ length: vulnerabilityCount }, (_, number) => {
    // A step that changes the least score, too, which has five digits.
    const percentile = ((number * 37 + day * 997) % 9_973) / 10_000;
    return `${cveOf(number)},${(percentile ** 4).toFixed(5)},${percentile.toFixed(5)}`;
  });
  const head = `#model_version:v2026.06.15,score_date:${date}T00:00:00+0000`;
  return [head, 'cve,epss,percentile', ...lines, ''].join('\n');
}
