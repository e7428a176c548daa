import type { ApiClient } from '@bomtrail/api-client';
import { endWith } from '@bomtrail/embedded';
import { eventually } from '@bomtrail/testkit';
import Table from 'cli-table3';
import { compareDocument, isUnexplained, type Comparison } from './support/compare-matches';
import { exploitedAdvisories } from './support/exploited-advisories';
import { explainedDifferences, explainedErrors } from './support/explained';
import { realData } from './support/real-data';
import { startTestStack } from './support/test-stack';

const atOnce = 4;

/**
 * Uploads the real documents to a live stack with the real advisories and compares the (purl, advisory)
 * pairs that the API shows with the expected ones. Exit code 1 when a difference is not explained.
 */
async function main(): Promise<number> {
  const data = realData();
  if (!data) {
    console.log('Skipped: there is no ../shared/data beside the checkout.');
    return 0;
  }
  const { client, stop } = await startTestStack({
    env: {
      BOMTRAIL_ADVISORY_SOURCE: data.advisories,
      BOMTRAIL_EPSS_SOURCE: data.epss,
      BOMTRAIL_KEV_SOURCE: data.kev,
    },
    say: (line) => console.log(line),
  });
  try {
    const project = await client.createProject({ name: 'Matching' });
    const explained = explainedDifferences();
    const exploited = await exploitedAdvisories(data);
    await untilRiskFeedsLoaded(client);
    const comparisons: Comparison[] = [];
    const waiting = [...data.documents];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        comparisons.push(
          await compareDocument({ client, data, explained, exploited }, next, project.id),
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    report(comparisons.sort((a, b) => (a.document < b.document ? -1 : 1)));
    return comparisons.some(isUnexplained) || comparisons.length === 0 ? 1 : 0;
  } finally {
    await stop();
  }
}

async function untilRiskFeedsLoaded(client: ApiClient): Promise<void> {
  await eventually(
    async () => {
      const { risk_feeds } = await client.advisoryFeeds();
      return risk_feeds.every(({ records }) => records > 0);
    },
    { within: 120_000, what: 'EPSS and KEV are loaded' },
  );
}

function report(comparisons: Comparison[]): void {
  const table = new Table({
    head: [
      'document',
      'components',
      'undetermined',
      'expected',
      'found',
      'missed',
      'extra',
      'explained',
      'exploited',
    ],
    style: { head: [], border: [] },
  });
  for (const row of comparisons) {
    const { document, components, undetermined, expected, found, missed, extra, explained } = row;
    if (row.refused === null) {
      table.push([
        document,
        components,
        undetermined,
        expected,
        found,
        missed.length,
        extra.length,
        explained,
        row.exploited,
      ]);
    }
  }
  console.log(table.toString());
  for (const row of comparisons) {
    for (const pair of row.missed) console.log(`missed: ${row.document}: ${pair}`);
    for (const pair of row.extra) console.log(`extra: ${row.document}: ${pair}`);
    for (const pair of row.notExploited)
      console.log(`not shown as exploited: ${row.document}: ${pair}`);
    for (const pair of row.wronglyExploited)
      console.log(`wrongly shown as exploited: ${row.document}: ${pair}`);
    for (const pair of row.outdated)
      console.log(`no difference any more: ${row.document}: ${pair}`);
    if (row.disagreement !== null)
      console.log(`disagreement: ${row.document}: ${row.disagreement}`);
    if (row.refused !== null) {
      console.log(`refused: ${row.document}: ${row.refused}`);
      console.log(`  ${explainedErrors[row.document] ?? 'NOT EXPLAINED'}`);
    }
  }
  for (const { document, purl, advisory, why } of explainedDifferences()) {
    console.log(`explained: ${document}: ${purl} ${advisory}: ${why}`);
  }
  const sum = (of: (row: Comparison) => number): number =>
    comparisons.reduce((total, row) => total + of(row), 0);
  console.log(
    `${comparisons.length} documents, ${comparisons.filter((row) => row.refused !== null).length} refused; ` +
      `${sum((row) => row.expected)} pairs expected, ${sum((row) => row.found)} found, ` +
      `${sum((row) => row.missed.length)} missed, ${sum((row) => row.extra.length)} extra, ` +
      `${sum((row) => row.explained)} explained; ${sum((row) => row.exploited)} known exploited, ` +
      `${sum((row) => row.notExploited.length)} of them not shown so, ` +
      `${sum((row) => row.wronglyExploited.length)} others shown so`,
  );
}

endWith(main());
