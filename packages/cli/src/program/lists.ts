import { Option, type Command } from 'commander';
import {
  createProjectNamed,
  deleteAcceptance,
  listAcceptances,
  listExploited,
  listFormats,
  listProjects,
  listServices,
  type ListOptions,
  type Owned,
} from '../commands/lists';
import type { ProgramDeps } from './deps';
import type { Flags } from '../settings/read-settings';
import { readLimit } from './read-limit';

/** Adds the flags that a kind of command has. */
type AddFlags = (command: Command) => Command;

/** The commands that list and change projects, services and acceptances. */
export function addLists(
  program: Command,
  deps: ProgramDeps,
  { connected, ofProject }: Record<'connected' | 'ofProject', AddFlags>,
): void {
  const projects = program.command('projects').description('projects');
  owned(listed(connected(projects.command('list'))))
    .description('list the projects that the key may see')
    .action(async (flags: Flags & ListOptions & Owned) => {
      deps.ended(await listProjects(deps.context(flags), flags));
    });
  connected(projects.command('create'))
    .description('create a project; needs the scope write')
    .argument('<slug>', 'a-z, 0-9 and single hyphens')
    .action(async (slug: string, flags: Flags) => {
      deps.ended(await createProjectNamed(deps.context(flags), slug));
    });
  const services = program.command('services').description('services of a project');
  owned(listed(ofProject(services.command('list'))))
    .description('list the services of a project with their open vulnerabilities')
    .action(async (flags: Flags & ListOptions & Owned) => {
      deps.ended(await listServices(deps.context(flags), flags));
    });
  const acceptances = program.command('acceptances').description('accepted risks');
  listed(ofProject(acceptances.command('list')))
    .description('list accepted risks, of all projects unless one is set')
    .action(async (flags: Flags & ListOptions) => {
      deps.ended(await listAcceptances(deps.context(flags), flags));
    });
  listed(ofProject(program.command('evidence')))
    .description('what is known to be exploited in a project, with its reporting deadlines')
    .action(async (flags: Flags & ListOptions) => {
      deps.ended(await listExploited(deps.context(flags), flags));
    });
  connected(acceptances.command('delete'))
    .description('delete an acceptance, so that the risk counts again')
    .argument('<id>', 'its id')
    .action(async (id: string, flags: Flags) => {
      deps.ended(await deleteAcceptance(deps.context(flags), id));
    });
}

/** Adds the filters by owner and labels. */
export function owned(command: Command): Command {
  return command
    .option('--owner <name>', 'only with this owner; a service without one has its project’s')
    .option('--label <labels>', 'only with one of these labels, comma-separated');
}

function listed(command: Command): Command {
  return command
    .option('--limit <number>', 'maximum number', readLimit, 100)
    .addOption(
      new Option('--output <format>', 'csv has all, whatever the limit')
        .choices([...listFormats])
        .default('table'),
    );
}
