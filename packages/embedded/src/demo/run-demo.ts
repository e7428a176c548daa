import { setTimeout as delay } from 'node:timers/promises';
import type { ApiClient, OpenVulnerability, ScanState } from './api-client';
import { compareRounds } from './compare-rounds';
import { coverageLine } from './coverage-line';
import type { ExampleSbom } from './example-sboms';
import { vulnerabilityTable } from './table';

const SCANNED_WITHIN_MS = 120_000;
const POLL_MS = 100;

/** The demo found nothing, or nothing was fixed. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}

/**
 * Uploads the example SBOMs round by round over the public API. Prints the open vulnerabilities of the first round,
 * then what each further round fixed and left.
 *
 * @returns the project of the uploads
 * @throws DemoFailure if nothing was found or nothing got fixed
 */
export async function runDemo(options: {
  client: ApiClient;
  rounds: ExampleSbom[][];
  say: (line: string) => void;
}): Promise<{ projectId: string }> {
  const { client, say } = options;
  const project = await client.createProject('Demo shop');
  let open: OpenVulnerability[] | undefined;
  for (const [index, round] of options.rounds.entries()) {
    say(`\nUploading version ${index + 1} of ${serviceNames(round)} …`);
    const started = Date.now();
    const scans = await uploadRound(client, project.id, round);
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    say(`Uploaded and scanned in ${seconds} s. ${coverageLine(scans)}`);
    const now = await client.openVulnerabilities(project.id);
    if (open === undefined) showFirst(now, say);
    else showChange(open, now, say);
    open = now;
  }
  return { projectId: project.id };
}

function serviceNames(round: ExampleSbom[]): string {
  return round.map(({ serviceName }) => serviceName).join(', ');
}

async function uploadRound(
  client: ApiClient,
  projectId: string,
  round: ExampleSbom[],
): Promise<ScanState[]> {
  const scans: ScanState[] = [];
  for (const example of round) {
    const { id } = await client.uploadSbom({ projectId, ...example });
    scans.push(await untilScanned(client, id, example));
  }
  return scans;
}

async function untilScanned(
  client: ApiClient,
  id: string,
  example: ExampleSbom,
): Promise<ScanState> {
  const deadline = Date.now() + SCANNED_WITHIN_MS;
  const name = `${example.serviceName} ${example.version}`;
  while (Date.now() < deadline) {
    const scan = await client.scanState(id);
    if (scan.scan_status === 'scanned') return scan;
    if (scan.scan_status === 'failed')
      throw new DemoFailure(`the scan of ${name} failed: see the logs`);
    await delay(POLL_MS);
  }
  throw new DemoFailure(
    `${name} was not scanned within ${SCANNED_WITHIN_MS / 1000} s: see the logs`,
  );
}

function showFirst(open: OpenVulnerability[], say: (line: string) => void): void {
  if (open.length === 0) throw new DemoFailure('no vulnerability was found in the example SBOMs');
  say(`${open.length} known vulnerabilities are open:`);
  say(vulnerabilityTable(open));
}

function showChange(
  before: OpenVulnerability[],
  now: OpenVulnerability[],
  say: (line: string) => void,
): void {
  const { fixed, stillOpen, appeared } = compareRounds(before, now);
  if (fixed.length === 0) throw new DemoFailure('the new versions fixed nothing, which they do');
  say(`${fixed.length} got fixed:`);
  say(vulnerabilityTable(fixed));
  if (appeared.length > 0) {
    say(`${appeared.length} are new:`);
    say(vulnerabilityTable(appeared));
  }
  say(stillOpen.length === 0 ? 'None is still open.' : `${stillOpen.length} are still open:`);
  if (stillOpen.length > 0) say(vulnerabilityTable(stillOpen));
}
