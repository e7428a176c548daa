import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withTemporaryFolder } from '@bomtrail/embedded';
import type { Dependency } from '@bomtrail/sbom-formats';
import { BenchFailure } from '../bench-failure';
import { sumOf } from '../dataset/counters';
import { calibrated, type Calibrations } from '../measure/in-folder';
import { spreadOf } from '../measure/statistics';
import { repositoryRoot, sharedData } from '../paths';
import { calibrationLines, shortNumber } from '../report/tables';
import type { BenchDeps } from '../run-bench';
import { documentBytes } from '../sboms/cyclonedx-document';
import { withStack } from '../stack/with-stack';
import { untilScanned } from '../verify/until-scanned';
import { bigComponents } from './big-components';

const packages = 20_000;
const warmPasses = 7;
const scanTimeoutMs = 5 * 60_000;

/** What the scanner's `measure/main.js` prints. */
interface Alone {
  components: number;
  packageVersions: number;
  hits: number;
  matches: number;
  advisories: number;
  coldSeconds: number;
  warmSeconds: number[];
  rssBytes: number;
}

/** Seconds of scans, by the scanner's own histogram. */
interface InScanner {
  firstSeconds: number;
  knownSeconds: number;
}

/** Matching of 20,000 real packages against the real advisories: alone in one process, and in the scanner. */
export async function runMatching(deps: BenchDeps): Promise<string> {
  const [sboms, advisories] = [sharedData('sboms'), sharedData('advisories')];
  if (sboms === undefined || advisories === undefined)
    throw new BenchFailure('this needs the documents and advisories of ../shared/data');
  return withTemporaryFolder('matching', async (folder) =>
    render(
      await calibrated(folder, async () => {
        const components = bigComponents(sboms, packages);
        const file = join(folder, 'components.json');
        writeFileSync(file, JSON.stringify(components));
        deps.say(`matching ${components.length} components alone`);
        const alone = await matchAlone(file, advisories);
        deps.say('matching them in the scanner');
        return { alone, ...(await matchInScanner(components, { ...deps, folder, advisories })) };
      }),
    ),
  );
}

async function matchAlone(file: string, advisories: string): Promise<Alone> {
  const program = join(repositoryRoot(), 'services', 'scanner', 'dist', 'measure', 'main.js');
  const args = [program, file, advisories, String(warmPasses)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Alone;
}

/** The same components as one SBOM: new to the scanner, then in a set that only has one more. */
async function matchInScanner(
  components: readonly Dependency[],
  deps: BenchDeps & { folder: string; advisories: string },
): Promise<InScanner> {
  const { folder, advisories, signal, say } = deps;
  const options = { dataDir: join(folder, 'data'), advisorySource: advisories, signal, say };
  return withStack(options, async (stack, api) => {
    const scanSeconds = async (): Promise<number> =>
      sumOf(await stack.metrics('scanner'), 'bomtrail_scan_duration_seconds_sum');
    const projectId = await api.createProject(`Matching ${randomUUID()}`);
    const scan = async (document: Buffer, serviceName: string): Promise<number> => {
      const before = await scanSeconds();
      const id = await api.upload({ projectId, serviceName, document });
      await untilScanned({ api, signal }, id, { pauseMs: 100, timeoutMs: scanTimeoutMs });
      return (await scanSeconds()) - before;
    };
    const one = { name: 'one-more', version: '1.0.0', purl: 'pkg:npm/one-more@1.0.0' };
    const firstSeconds = await scan(documentOf(components), 'first');
    const knownSeconds = await scan(documentOf([...components, one]), 'known');
    return { firstSeconds, knownSeconds };
  });
}

function documentOf(components: readonly Pick<Dependency, 'name' | 'version' | 'purl'>[]): Buffer {
  return documentBytes({
    bomFormat: 'CycloneDX',
    specVersion: '1.4',
    version: 1,
    components: components.map(({ name, version, purl }, n) => ({
      type: 'library',
      'bom-ref': String(n),
      name,
      version,
      ...(purl === null ? {} : { purl }),
    })),
  });
}

function render(report: InScanner & { alone: Alone; calibration: Calibrations }): string {
  const { alone, firstSeconds, knownSeconds, calibration } = report;
  const rate = (seconds: number): string => shortNumber(alone.components / seconds);
  const warm = spreadOf(alone.warmSeconds);
  return [
    `${alone.components} components, ${alone.packageVersions} package versions, ${alone.advisories} advisories: ${alone.hits} versions hit, ${alone.matches} matches`,
    `alone, first pass:  ${rate(alone.coldSeconds)} packages/s`,
    `alone, later passes: ${rate(warm.max)} (least) ${rate(warm.median)} (median) ${rate(warm.min)} (most) packages/s`,
    `alone, resident memory with all advisories: ${Math.round(alone.rssBytes / 2 ** 20)} MiB`,
    `in the scanner, new to it:          ${shortNumber(firstSeconds)} s, ${rate(firstSeconds)} packages/s`,
    `in the scanner, known but one more: ${shortNumber(knownSeconds)} s, ${rate(knownSeconds)} packages/s`,
    calibrationLines(calibration),
  ].join('\n');
}
