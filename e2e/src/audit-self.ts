import { readFileSync } from 'node:fs';
import { inspect, parseArgs } from 'node:util';
import type { ApiClient } from '@bomtrail/api-client';
import { coverageLine } from '@bomtrail/embedded';
import { auditFolder, auditSbom, type Audit } from './audit/audit-folder';
import type { Row } from './audit/judge';
import { repositoryRoot } from './support/real-data';
import { startTestStack } from './support/test-stack';

const usage =
  'Usage: npm run audit-self -- [--advisories FOLDER|ZIP|URL] [--folder FOLDER | --sbom FILE …]';
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
 * `--folder`, or the SBOMs in `--sbom`, such as those of images) against advisories of one's choice, on servers of its
 * own. Gives the exit code.
 */
async function main(args: string[]): Promise<number> {
  const { advisories, folder = repositoryRoot, sbom: files = [] } = optionsOf(args);
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
    const audits =
      files.length === 0
        ? [await auditFolder(client, folder, withinMs)]
        : await auditFiles(client, files);
    for (const audit of audits) for (const line of formatResult(audit)) print(line);
    if (source !== 'starter' && audits.some(({ scan }) => scan.advisory_data !== 'feed')) {
      const which = source === '' ? "OSV's public export" : source;
      complain(`The advisories of ${which} could not be loaded: this is no answer.`);
      return exitCodes.noAnswer;
    }
    const isRefused = audits.some(({ verdict }) => verdict.refused.length > 0);
    return isRefused ? exitCodes.refused : exitCodes.clean;
  } finally {
    await stop();
  }
}

async function auditFiles(client: ApiClient, files: readonly string[]): Promise<Audit[]> {
  const audits: Audit[] = [];
  for (const name of files) {
    print(`${name}:`);
    audits.push(await auditSbom(client, { name, file: readFileSync(name) }, withinMs));
  }
  return audits;
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

interface Options {
  advisories?: string;
  folder?: string;
  sbom?: string[];
}

function optionsOf(args: string[]): Options {
  const options = {
    advisories: { type: 'string' },
    folder: { type: 'string' },
    sbom: { type: 'string', multiple: true },
  } as const;
  try {
    return parseArgs({ args, options }).values as Options;
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
