import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { repositoryRoot } from '../real-data';

/** A file of templates/ci as text. */
export function template(file: string): string {
  return readFileSync(path.join(repositoryRoot, 'templates', 'ci', file), 'utf8');
}

interface CompositeAction {
  inputs: Record<string, { default?: string }>;
  runs: { steps: { id?: string; run?: string; env?: Record<string, string> }[] };
}

/** A shell step of the GitHub Action, as written, with the environment that the runner would give it. */
export function actionStep(
  id: string,
  inputs: Readonly<Record<string, string>>,
): { script: string; env: Record<string, string> } {
  const action = parse(template('github/action.yml')) as CompositeAction;
  const step = action.runs.steps.find((one) => one.id === id);
  if (!step?.run) throw new Error(`The action has no shell step ${id}.`);
  const value = (name: string): string => {
    if (!Object.hasOwn(action.inputs, name)) throw new Error(`The action has no input ${name}.`);
    return inputs[name] ?? action.inputs[name]?.default ?? '';
  };
  const env = Object.entries(step.env ?? {}).map(([name, text]): [string, string] => [
    name,
    text.replace(
      /\$\{\{ inputs\.([a-z0-9-]+)(?: \|\| '(.*?)')? \}\}/g,
      (_, input: string, otherwise = '') => value(input) || otherwise,
    ),
  ]);
  return { script: step.run, env: Object.fromEntries(env) };
}

/** The script of the GitLab job, as the runner puts its lines together, with the job's variables. */
export function gitlabScript(): { script: string; env: Record<string, string> } {
  const file = parse(template('gitlab/bomtrail.gitlab-ci.yml')) as Record<
    string,
    { script: string[]; variables?: Record<string, string> }
  >;
  const job = file['.bomtrail'];
  if (!job) throw new Error('The include has no job .bomtrail.');
  return { script: ['set -e', ...job.script].join('\n'), env: job.variables ?? {} };
}

/** The shell step of the Jenkins snippet. */
export function jenkinsScript(): string {
  const script = /sh '''([\s\S]*?)'''/.exec(template('jenkins/Jenkinsfile'))?.[1];
  if (!script) throw new Error('The Jenkinsfile has no shell step.');
  return script;
}
