import type { Command } from 'commander';
import { check } from '../commands/check';
import type { Flags } from '../settings/read-settings';
import type { ProgramDeps } from './deps';

/** The command that judges documents without storing them. @param gated adds the flags of a gate */
export function addCheck(
  program: Command,
  deps: ProgramDeps,
  { gated }: { gated: (command: Command) => Command },
): void {
  gated(program.command('check'))
    .description('judge SBOMs without storing them: for pull requests and local use')
    .argument(
      '<files...>',
      'documents or quoted patterns such as "out/*.json"; - for standard input',
    )
    .option('--version <version>', 'version in the reports')
    .action(async (files: string[], flags: Flags & { version?: string; output: string[] }) => {
      const { version, output } = flags;
      const { folder, input, version: toolVersion } = deps;
      const options = { files, version, output, folder, input, toolVersion };
      deps.ended(await check(deps.context(flags), options));
    });
}
