import type { Command } from 'commander';
import { importDependencyTrack } from '../commands/import-dependency-track';
import type { Flags } from '../settings/read-settings';
import type { ProgramDeps } from './deps';

/** Adds the flags that a kind of command has. */
type AddFlags = (command: Command) => Command;

type ImportFlags = Flags & {
  from?: string;
  exports?: string;
  dtrackApiKeyFile?: string;
  folder: string;
  dryRun: boolean;
};

/** The commands that move data from other programs here. */
export function addImport(
  program: Command,
  deps: ProgramDeps,
  { connected }: Record<'connected', AddFlags>,
): void {
  const imports = program.command('import').description('moving over from other programs');
  connected(imports.command('dependency-track'))
    .description('import projects, versions, SBOMs and decisions of Dependency-Track 4 or 5')
    .option('--from <url>', 'address of its API server; without it only what the folder has')
    .option('--exports <folder>', 'SBOMs and findings (FPF) saved from its page, instead of --from')
    .option('--dtrack-api-key-file <file>', 'file with its API key (DEPENDENCY_TRACK_API_KEY)')
    .option('--folder <folder>', 'for downloads, state and report.json', 'dependency-track-import')
    .option('--dry-run', 'only show what would be imported', false)
    .action(async (flags: ImportFlags) => {
      const { from, exports, dtrackApiKeyFile: keyFile, folder, dryRun } = flags;
      const key = process.env['DEPENDENCY_TRACK_API_KEY'];
      const options = { from, exports, keyFile, key, folder, dryRun };
      deps.ended(await importDependencyTrack(deps.context(flags), options));
    });
}
