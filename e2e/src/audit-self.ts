import { inspect, parseArgs } from 'node:util';
import { coverageLine } from '@bomtrail/embedded';
import { auditFolder, type Audit } from './audit/audit-folder';
import type { Row } from './audit/judge';
import { repositoryRoot } from './support/real-data';
import { startTestStack } from './support/test-stack';

const usage = 'Usage: npm run audit-self -- [--advisories FOLDER|ZIP|URL] [--folder FOLDER]';
/** OSV's export of npm has to be fetched and stored first. */
const withinMs = 15 * 60_000;
const exitCodes = { clean: 0, refused: 1, noAnswer: 2 } as const;

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/**
 * The command `audit-self`: has the product scan the dependencies of its own lock file (or of that in
 * `--folder`) against advisories of one's choice, on servers of its own. Gives the exit code.
 */
async function main(args: string[]): Promise<number> {
  const { advisories, folder = repositoryRoot } = optionsOf(args);
  const source = advisories ?? process.env['BOMTRAIL_ADVISORY_SOURCE'] ?? '';
  const { client, stop } = await startTestStack({
    env: {
      MONGODB_URI: '',
      NATS_URL: '',
      LOG_LEVEL: 'info',
      BOMTRAIL_ADVISORY_SOURCE: source,
    },
    say: complain,
  });
  try {
    const audit = await auditFolder(client, folder, withinMs);
    for (const line of formatResult(audit)) print(line);
    if (source !== 'starter' && audit.scan.advisory_data !== 'feed') {
      const which = source === '' ? "OSV's public export" : source;
      complain(`The advisories of ${which} could not be loaded: this is no answer.`);
      return exitCodes.noAnswer;
    }
    return audit.verdict.refused.length > 0 ? exitCodes.refused : exitCodes.clean;
  } finally {
    await stop();
  }
}

function formatResult({ verdict, scan }: Audit): string[] {
  const { refused, accepted, lower, unused } = verdict;
  return [
    coverageLine([scan]),
    ...refused.map((row) => `refused: ${serviceOf(row)}`),
    ...accepted.map((row) => `accepted: ${serviceOf(row)}`),
    ...lower.map((row) => `lower: ${serviceOf(row)}`),
    ...unused.map(({ vulnerability, package: name }) => `not found: ${vulnerability} in ${name}`),
    `${refused.length} to be looked at, ${accepted.length} accepted, ${lower.length} lower.`,
  ];
}

function serviceOf(row: Row): string {
  const { severity, cve_id, package_name, package_version, fixed_versions } = row;
  const fix = fixed_versions[0] === undefined ? 'no fix' : `fixed in ${fixed_versions[0]}`;
  return `${severity} ${cve_id} ${package_name} ${package_version} (${fix})`;
}

function optionsOf(args: string[]): { advisories?: string | undefined; folder?: string } {
  try {
    const options = { advisories: { type: 'string' }, folder: { type: 'string' } } as const;
    return parseArgs({ args, options }).values as { advisories?: string; folder?: string };
  } catch (error) {
    complain(`${(error as Error).message} ${usage}`);
    process.exit(exitCodes.noAnswer);
  }
}

main(process.argv.slice(2)).then(
  (code) => process.exit(code),
  (error: unknown) => {
    complain(inspect(error));
    process.exit(exitCodes.noAnswer);
  },
);
