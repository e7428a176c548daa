import { Option, type Command } from 'commander';
import { compare } from '../commands/compare';
import type { Flags } from '../settings/read-settings';
import type { ProgramDeps } from './deps';

type CompareFlags = Flags & { sbom?: string; output: string };

/** The command that compares with other tools. @param scoped adds the flags of a project and service */
export function addCompare(
  program: Command,
  deps: ProgramDeps,
  { scoped }: { scoped: (command: Command) => Command },
): void {
  scoped(program.command('compare'))
    .description('which findings differ from the result of another tool, and why')
    .argument(
      '<file>',
      'JSON of grype, osv-scanner, trivy, Dependency-Track (findings) or DefectDojo; - for standard input',
    )
    .option(
      '--sbom <id>',
      'the SBOM that the other tool judged; without it the newest of the service',
    )
    .addOption(new Option('--output <format>').choices(['table', 'json']).default('table'))
    .action(async (file: string, { sbom, output, ...flags }: CompareFlags) => {
      const options = { file, sbom, input: deps.input, json: output === 'json' };
      deps.ended(await compare(deps.context(flags), options));
    });
}
