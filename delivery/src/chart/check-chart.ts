import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withTemporaryFolder } from '@bomtrail/embedded';
import { checkov, readExceptions, unexcused, type Checkov, type Exception } from '../image/checkov';
import { orNotRun, type Report } from '../report';
import { settingsSchemas } from '../settings/schemas';
import { goTool, type Say } from '../tools/fetch';
import { helm } from '../tools/pins';
import { kindErrors } from './check-kinds';
import { networkErrors } from './check-network';
import { unprobed, unrestricted } from './check-pods';
import { brokenReferences } from './check-references';
import { scaledObjectErrors } from './check-scaling';
import { settingsErrors } from './check-settings';
import { customResourceChecker, isCustom } from './custom-resources';
import { chartFile, valueSets, type Values } from './files';
import { conformer } from './kubernetes-schemas';
import { wronglyTaken } from './rejections';
import { lint, render, type Rendered } from './render';

type ValueSet = ReturnType<typeof valueSets>[number];

/** Checks the chart: lint, rendering of each value set, and the rules for its objects. */
export async function checkChart(report: Report, say: Say): Promise<void> {
  const binary = await orNotRun(report, 'chart', () => goTool(helm, say));
  if (!binary) return;
  report.check('helm lint --strict, values as they are', await lint(binary, []));
  report.check('values that must be refused', await wronglyTaken(binary));
  const conforms = await orNotRun(report, 'kubeconform', () => conformer(say));
  const typed = await orNotRun(report, 'types of custom resources', () =>
    customResourceChecker(say),
  );
  const scan = await orNotRun(report, 'checkov: chart', () => checkov(say));
  const used = new Set<Exception>();
  const exceptions = readExceptions().kubernetes;
  for (const set of valueSets()) {
    report.check(`${set.name}: helm lint --strict`, await lint(binary, [set.file]));
    const rendered = await rendering(report, binary, { name: set.name, files: [set.file] });
    if (!rendered) continue;
    checkObjects(report, set, rendered);
    const kubeconform = `${set.name}: kubeconform -strict`;
    if (conforms) report.check(kubeconform, await conforms(rendered.text));
    if (typed && rendered.objects.some(isCustom))
      report.check(`${set.name}: custom resources`, await typed(rendered.objects));
    if (scan) {
      const failed = await scanned(scan, rendered.text);
      report.check(
        `${set.name}: checkov`,
        unexcused(failed, exceptions.filter(holdsIn(set.name)), used),
      );
    }
  }
  for (const size of readdirSync(chartFile('sizes'))) {
    const files = [chartFile('ci', 'external-values.yaml'), chartFile('sizes', size)];
    const name = `size ${size}, over external`;
    const rendered = await rendering(report, binary, { name, files });
    if (!rendered) continue;
    const errors = settingsErrors(rendered.objects, settingsSchemas(), new Set());
    report.check(`${name}: services take their settings`, errors);
    if (conforms) report.check(`${name}: kubeconform`, await conforms(rendered.text));
  }
  const idle = exceptions.filter((one) => !used.has(one));
  if (scan)
    report.check(
      'exceptions from checkov are needed',
      idle.map((one) => `nothing needs ${one.check} ${one.resources}`),
    );
}

async function rendering(
  report: Report,
  binary: string,
  { name, files }: { name: string; files: readonly string[] },
): Promise<Rendered | null> {
  try {
    return await render(binary, files);
  } catch (error) {
    report.check(`${name}: helm template`, [(error as Error).message]);
    return null;
  }
}

function checkObjects(report: Report, { name, values }: ValueSet, { objects }: Rendered): void {
  report.check(`${name}: objects of the kinds it is for`, kindErrors(name, objects));
  report.check(`${name}: pods are restricted`, unrestricted(objects));
  report.check(`${name}: probes and grace periods`, unprobed(objects));
  report.check(
    `${name}: services take their settings`,
    settingsErrors(objects, settingsSchemas(), extraEnv(values)),
  );
  report.check(`${name}: names and selectors`, brokenReferences(objects));
  report.check(`${name}: queues of ScaledObjects`, scaledObjectErrors(objects));
  if (objects.some((object) => object.kind === 'NetworkPolicy'))
    report.check(`${name}: who reaches whom`, networkErrors(objects));
}

/** Names in `defaults.extraEnv`, which are not checked. */
function extraEnv(values: Values): Set<string> {
  const { extraEnv = [] } = (values['defaults'] ?? {}) as { extraEnv?: { name: string }[] };
  return new Set(extraEnv.map((entry) => entry.name));
}

/** True if an exception applies to a value set. */
function holdsIn(set: string): (exception: Exception) => boolean {
  return ({ sets }) => sets === undefined || sets.includes(set);
}

async function scanned(scan: Checkov, text: string) {
  return withTemporaryFolder('chart', async (folder) => {
    const file = path.join(folder, 'rendered.yaml');
    await writeFile(file, text);
    return await scan('kubernetes', file);
  });
}
