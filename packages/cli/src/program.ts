import { Command, CommanderError, Option } from 'commander';
import { accept } from './commands/accept';
import { diff } from './commands/diff';
import { fix, fixFormats, type FixOptions } from './commands/fix';
import { createKey, listKeys, revokeKey } from './commands/keys';
import { ownedBy } from './commands/lists';
import { search } from './commands/search';
import { status } from './commands/status';
import { upload } from './commands/upload';
import { vulns, type VulnsFilters } from './commands/vulns';
import { EXIT, usageError } from './exit-codes';
import { addCheck } from './program/check';
import { addCompare } from './program/compare';
import { addCompletion } from './program/completion';
import { addDecisionRules } from './program/decision-rules';
import type { ProgramDeps } from './program/deps';
import { addImport } from './program/import';
import { addLists, owned } from './program/lists';
import { readLimit } from './program/read-limit';
import { readSince } from './program/read-since';
import { addVex } from './program/vex';
import { buildOf } from './gate/build-of';
import { givenText, type Flags } from './settings/read-settings';

const exitHelp = `
Exit codes: 0 pass, 1 findings at or above --fail-on, 2 invalid call, 3 server or network,
            4 undecided (nothing evaluated, scan failed, timeout), 130 interrupted.`;

/** Defines all commands and their flags. */
export function buildProgram(deps: ProgramDeps): Command {
  const program = new Command('bomtrail')
    .description('Uploads SBOMs to bomtrail and reports their vulnerabilities.')
    .version(deps.version)
    .addHelpText('after', exitHelp)
    // `upload --version V` is the document's, `bomtrail --version` this program's.
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => {} });
  addUpload(program, deps);
  addCheck(program, deps, { gated: (command) => judging(scoped(command)) });
  addReads(program, deps);
  addCompare(program, deps, { scoped });
  addAccept(program, deps);
  addVex(program, deps, { connected, scoped });
  addDecisionRules(program, deps, { connected, ofProject, scoped });
  addImport(program, deps, { connected });
  addKeys(program, deps);
  addLists(program, deps, { connected, ofProject });
  addCompletion(program);
  return program;
}

/** Maps errors of `commander` to usage errors. Returns null for help and version. */
export function usageOf(error: unknown): Error | null {
  if (!(error instanceof CommanderError)) return error as Error;
  if (error.exitCode === EXIT.pass) return null;
  if (error.code === 'commander.help') return usageError('No command given.');
  return usageError(error.message.replace(/^error: /, ''));
}

function connected(command: Command): Command {
  return command
    .option('--url <url>', 'address of bomtrail (BOMTRAIL_URL)')
    .option(
      '--api-key-file <file>',
      'file with the API key (BOMTRAIL_API_KEY, BOMTRAIL_API_KEY_FILE)',
    )
    .option(
      '--retry-for <time>',
      'how long after the first failure to retry transient errors; 0s: never (BOMTRAIL_RETRY_FOR; 60s)',
    )
    .option('--config <file>', 'project file (BOMTRAIL_CONFIG; .bomtrail.yaml)');
}

function ofProject(command: Command): Command {
  return connected(command).option('--project <slug|id>', 'project (BOMTRAIL_PROJECT)');
}

function scoped(command: Command): Command {
  return ofProject(command).option(
    '--service <name>',
    'service in the project, exact name; for several documents a pattern such as {file} (BOMTRAIL_SERVICE)',
  );
}

/** A gate over a stored SBOM. */
function gated(command: Command): Command {
  return judging(
    command.option('--wait [time]', 'wait for the scan (BOMTRAIL_WAIT; 60s; --fail-on waits too)'),
  ).option(
    '--record-ignored',
    'store what .bomtrail.yaml ignores as acceptances on the server (needs the scope write)',
    false,
  );
}

function judging(command: Command): Command {
  return command
    .option(
      '--fail-on <severity>',
      'critical, high, medium or low: fail at or above it (BOMTRAIL_FAIL_ON)',
    )
    .option('--only-new', 'count only findings that the baseline does not have (BOMTRAIL_ONLY_NEW)')
    .option('--fail-on-kev', 'fail if one is known to be exploited (BOMTRAIL_FAIL_ON_KEV)')
    .option('--max-epss <score>', '0 to 1: fail above this EPSS score (BOMTRAIL_MAX_EPSS)')
    .option('--only-fixable', 'count only findings with a known fix (BOMTRAIL_ONLY_FIXABLE)')
    .option(
      '--fail-on-license',
      'fail if the licence policy of the project denies a component (BOMTRAIL_FAIL_ON_LICENSE)',
    )
    .option(
      '--min-quality <score>',
      '1 to 100: fail if the document is less complete (BOMTRAIL_MIN_QUALITY)',
    )
    .option(
      '--baseline <baseline>',
      'last-passed, none, or the version or id of an SBOM of the service (BOMTRAIL_BASELINE; last-passed)',
    )
    .option(
      '--output <format[=file]>',
      'table, json, sarif, markdown, junit, gitlab, cyclonedx or csv; more than once with files',
      (text: string, before: string[]) => [...before, text],
      [] as string[],
    );
}

const asJson = (): Option =>
  new Option('--output <format>').choices(['table', 'json']).default('table');

function addUpload(program: Command, deps: ProgramDeps): void {
  gated(scoped(program.command('upload')))
    .description('upload SBOMs (CycloneDX or SPDX, JSON) and optionally wait for their verdict')
    .argument(
      '[files...]',
      'documents or quoted patterns such as "out/*.json"; - for standard input',
    )
    .option(
      '--from <folder>',
      'create the SBOM of this folder with syft or cdxgen; more than once',
      (text: string, before: string[]) => [...before, text],
      [] as string[],
    )
    .requiredOption('--version <version>', 'version of the software that it describes')
    .option('--commit <revision>', 'revision of the source (BOMTRAIL_COMMIT; from the CI)')
    .option('--build-url <url>', 'address of the build (BOMTRAIL_BUILD_URL; from the CI)')
    .option('--create-project', 'create the project if it does not exist', false)
    .option('--transport <transport>', 'rest or grpc (BOMTRAIL_TRANSPORT; rest)')
    .option('--grpc-url <url>', 'grpc://host:port or grpcs://host:port (BOMTRAIL_GRPC_URL)')
    .action(async (files: string[], flags: Flags & UploadFlags) => {
      const { createProject, recordIgnored, from, output } = flags;
      const version = givenText(flags.version, 'version') ?? '';
      const build = buildOf({ commit: flags.commit, build_url: flags.buildUrl }, process.env);
      const given = { files, from, version, createProject, recordIgnored, output, build };
      const { input } = deps;
      deps.ended(
        await upload(deps.context(flags), {
          ...given,
          ...surroundings(deps),
          input,
          env: process.env,
        }),
      );
    });
}

/** Without an SBOM, as of a variable that is empty, a gate would judge nothing and pass. */
function refuseGate(command: Command): void {
  const ofServer = new Set(['url', 'apiKeyFile', 'retryFor', 'config']);
  const given = command.options.filter((one) => {
    const name = one.attributeName();
    return !ofServer.has(name) && command.getOptionValueSource(name) === 'cli';
  });
  if (given.length > 0)
    throw usageError(
      `status: ${given.map(({ long }) => long).join(', ')} without the id of an SBOM.`,
    );
}

interface GatedFlags {
  output: string[];
  recordIgnored: boolean;
}

interface UploadFlags extends GatedFlags {
  version: string;
  commit?: string;
  buildUrl?: string;
  createProject: boolean;
  from: string[];
}

const surroundings = ({
  folder,
  version,
}: ProgramDeps): { folder: string; toolVersion: string } => ({
  folder,
  toolVersion: version,
});

function addReads(program: Command, deps: ProgramDeps): void {
  gated(connected(program.command('status')))
    .description('state and verdict of an SBOM; without an id, state of the advisories')
    .argument('[sbom]', 'id of the SBOM')
    .action(async (sbom: string | undefined, flags: Flags & GatedFlags, command: Command) => {
      const { output, recordIgnored } = flags;
      if (sbom?.trim() === '')
        throw usageError(
          'status: the id of the SBOM is empty. Is the variable set that it comes from?',
        );
      if (sbom === undefined) refuseGate(command);
      const options = { sbom, output, recordIgnored, ...surroundings(deps) };
      deps.ended(await status(deps.context(flags), options));
    });
  connected(program.command('diff'))
    .description('components that the second SBOM adds, removes and changes')
    .argument('<a>', 'id of an SBOM')
    .argument('<b>', 'id of another SBOM')
    .addOption(asJson())
    .action(async (from: string, to: string, flags: Flags & { output: string }) => {
      deps.ended(await diff(deps.context(flags), { from, to, json: flags.output === 'json' }));
    });
  owned(scoped(program.command('vulns')))
    .description('list vulnerabilities')
    .option('--state <states>', 'open, fixed, accepted; comma-separated', 'open')
    .option('--severity <severities>', 'only these, comma-separated')
    .option('--id <id>', 'only this vulnerability, by any of its ids')
    .option('--package <name>', 'only this package, by its full name')
    .option('--purl <purl>', 'only this package, with a version only that version')
    .option('--ecosystem <name>', 'only this ecosystem, e.g. npm, PyPI, Debian')
    .option('--search <words>', 'only with all words in id, package or title')
    .option('--kev', 'only those known to be exploited')
    .option('--min-epss <score>', 'only with at least this EPSS score, 0 to 1')
    .option('--fixable', 'only with a known fix')
    .option('--direct', 'only direct dependencies')
    .option('--decision <kinds>', 'only with such a decision, e.g. in_triage; none: undecided')
    .option('--assignee <name>', 'only with a decision of this assignee')
    .option('--ticket', 'only with a decision that has a ticket')
    .option(
      '--detected-since <time>',
      'only what was detected since: a day, or so long ago, e.g. 7d',
      readSince,
    )
    .option('--overdue', "only what is overdue by its project's service levels")
    .option('--limit <number>', 'maximum number', readLimit, 100)
    .addOption(
      new Option('--output <format>', 'csv has all, whatever the limit')
        .choices(['table', 'json', 'csv'])
        .default('table'),
    )
    .action(async (flags: Flags & VulnsFlags) => {
      const format = { json: flags.output === 'json', csv: flags.output === 'csv' };
      deps.ended(await vulns(deps.context(flags), { ...flags, ...format }));
    });
  owned(scoped(program.command('fix')))
    .description('upgrades that close most open vulnerabilities, most risk removed first')
    .option('--limit <number>', 'maximum number of packages', readLimit, 100)
    .addOption(new Option('--output <format>').choices([...fixFormats]).default('table'))
    .action(async (flags: Flags & FixOptions) => {
      const { limit, output } = flags;
      deps.ended(await fix(deps.context(flags), { limit, output, ...ownedBy(flags) }));
    });
  connected(program.command('search'))
    .description('services that use a package or have a vulnerability')
    .argument('<text>', 'a purl, a package (name or name@version), or an id such as CVE-2021-44228')
    .addOption(new Option('--as <kind>', 'what the text is').choices(['package', 'vulnerability']))
    .option('--project <slug|id>', 'only in this project')
    .addOption(asJson())
    .action(async (text: string, flags: Flags & SearchFlags) => {
      const context = deps.context(flags);
      // A search covers all projects unless --project is given; a configured project does not count.
      const settings = { ...context.settings, project: flags.project };
      const options = { text, as: flags.as, json: flags.output === 'json' };
      deps.ended(await search({ ...context, settings }, options));
    });
}

interface VulnsFlags extends VulnsFilters {
  state: string;
  limit: number;
  output: string;
}

interface SearchFlags {
  as: 'package' | 'vulnerability' | undefined;
  output: string;
}

function addAccept(program: Command, deps: ProgramDeps): void {
  scoped(program.command('accept'))
    .description('accept a vulnerability as a risk, in the project or in one service')
    .argument('<vulnerability>', 'its id in bomtrail, or an id such as CVE-2021-44228')
    .requiredOption('--reason <text>', 'why')
    .option('--expires <time>', 'end of the acceptance: 90d, or an ISO 8601 time')
    .addOption(asJson())
    .action(
      async (
        vulnerability: string,
        flags: Flags & { reason: string; expires?: string; output: string },
      ) => {
        const { reason, expires, output } = flags;
        const options = { vulnerability, reason, expires, json: output === 'json' };
        deps.ended(await accept(deps.context(flags), options));
      },
    );
}

function addKeys(program: Command, deps: ProgramDeps): void {
  const keys = program.command('keys').description('API keys; needs a key with the scope admin');
  connected(keys.command('list'))
    .description('list API keys')
    .addOption(asJson())
    .action(async (flags: Flags & { output: string }) => {
      deps.ended(await listKeys(deps.context(flags), flags.output === 'json'));
    });
  connected(keys.command('create'))
    .description('create an API key; standard output gets the key only')
    .option('--name <text>', 'purpose of the key')
    .option('--scope <scope...>', 'read, upload, write or admin; default: all', [])
    .option('--project <slug|id>', 'bind it to this project')
    .option('--expires <time>', 'lifetime, e.g. 90d')
    .action(async (flags: Flags & { name?: string; scope: string[]; expires?: string }) => {
      const { name, scope, expires, project } = flags;
      deps.ended(await createKey(deps.context(flags), { name, scopes: scope, expires }, project));
    });
  connected(keys.command('revoke'))
    .description('revoke an API key')
    .argument('<key>', 'its id or prefix')
    .action(async (named: string, flags: Flags) => {
      deps.ended(await revokeKey(deps.context(flags), named));
    });
}
