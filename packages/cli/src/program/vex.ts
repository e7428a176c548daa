import { Option, type Command } from 'commander';
import { exportVex, importVex, vexFormats } from '../commands/vex';
import type { Flags } from '../settings/read-settings';
import type { ProgramDeps } from './deps';

/** Adds the flags that a kind of command has. */
type AddFlags = (command: Command) => Command;

type ExportFlags = Flags & { format: (typeof vexFormats)[number]; sbom?: string; file?: string };

/** The commands that import and export VEX documents. */
export function addVex(
  program: Command,
  deps: ProgramDeps,
  { connected, scoped }: Record<'connected' | 'scoped', AddFlags>,
): void {
  const { folder } = deps;
  const vex = program.command('vex').description('VEX documents');
  connected(vex.command('import'))
    .description('import an OpenVEX, CycloneDX or CSAF document; its statements become decisions')
    .argument('<file>', 'the document')
    .option('--project <slug|id>', 'project (BOMTRAIL_PROJECT); without one all projects')
    .addOption(new Option('--output <format>').choices(['table', 'json']).default('table'))
    .action(async (file: string, flags: Flags & { output: string }) => {
      const options = { file, folder, json: flags.output === 'json' };
      deps.ended(await importVex(deps.context(flags), options));
    });
  scoped(vex.command('export'))
    .description('export what is decided in a project, or in one service or SBOM')
    .addOption(new Option('--format <format>').choices([...vexFormats]).default('openvex'))
    .option('--sbom <id>', 'only this SBOM')
    .option('--file <file>', 'write the document to this file; standard output without it')
    .action(async ({ format, sbom, file, ...flags }: ExportFlags) => {
      const options = { format, folder, ...(sbom && { sbom }), ...(file && { file }) };
      deps.ended(await exportVex(deps.context(flags), options));
    });
}
