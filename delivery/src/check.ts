import path from 'node:path';
import { repositoryRoot } from '@bomtrail/embedded';
import { checkChart } from './chart/check-chart';
import { checkUploadTest } from './chart/check-upload-test';
import { bakeErrors } from './image/bake';
import { checkov, readExceptions, unexcused } from './image/checkov';
import { composeErrors, readCompose } from './image/compose';
import { hadolintErrors } from './image/hadolint';
import { checkProxy } from './proxy/check-proxy';
import { workflowErrors } from './release/workflows';
import { orNotRun, startReport, type Report } from './report';
import { goTool, wheelTool, type Say } from './tools/fetch';
import { actionlint, composeReader, hadolint, hclfmt } from './tools/pins';

const outcomes = { ok: 0, failed: 1 };

/** A part of the checks. Throws if a required tool is not available. */
type Part = (report: Report, say: Say) => Promise<void>;

/** The parts by name. */
export const parts: Readonly<Record<string, Part>> = {
  chart: checkChart,
  upload: checkUploadTest,
  dockerfile: checkDockerfile,
  compose: checkCompose,
  proxy: checkProxy,
  workflows: checkWorkflows,
};

/** Runs the named parts or all; returns the exit code. The last line is `N passed, N failed`. */
export async function check(names: readonly string[], say: Say): Promise<number> {
  const report = startReport(say);
  for (const [name, part] of Object.entries(parts)) {
    if (names.length > 0 && !names.includes(name)) continue;
    say(`== ${name}`);
    await part(report, say);
  }
  for (const line of report.closingLines()) say(line);
  return report.failed ? outcomes.failed : outcomes.ok;
}

async function checkDockerfile(report: Report, say: Say): Promise<void> {
  const reader = await orNotRun(report, 'hclfmt', () => goTool(hclfmt, say));
  if (reader) report.check('hclfmt: docker-bake.hcl', await bakeErrors(reader));
  const linter = await orNotRun(report, 'hadolint', () => wheelTool(hadolint, 'hadolint', say));
  if (linter) report.check('hadolint: Dockerfile', await hadolintErrors(linter));
  const scan = await orNotRun(report, 'checkov: Dockerfile', () => checkov(say));
  if (!scan) return;
  const file = path.join(repositoryRoot(), 'deploy', 'docker', 'Dockerfile');
  const exceptions = readExceptions().dockerfile;
  const used = new Set<(typeof exceptions)[number]>();
  const errors = unexcused(await scan('dockerfile', file), exceptions, used);
  const idle = exceptions.filter((one) => !used.has(one));
  report.check('checkov: Dockerfile', [
    ...errors,
    ...idle.map((one) => `nothing needs the exception ${one.check}`),
  ]);
}

async function checkCompose(report: Report, say: Say): Promise<void> {
  report.notRun('checkov: compose file', 'checkov has no rules for compose files; ours ran');
  const name = 'compose file, read by the library of docker compose';
  const reader = await orNotRun(report, name, () => goTool(composeReader, say));
  if (!reader) return;
  try {
    const project = await readCompose(reader);
    report.check(name, []);
    report.check('compose file: least rights, pinned images, health', composeErrors(project));
  } catch (error) {
    report.check(name, [(error as Error).message]);
  }
}

async function checkWorkflows(report: Report, say: Say): Promise<void> {
  const linter = await orNotRun(report, 'actionlint', () => goTool(actionlint, say));
  if (linter) report.check('actionlint: workflows', await workflowErrors(linter));
}
