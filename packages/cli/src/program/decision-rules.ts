import { Option, type Command } from 'commander';
import {
  createDecisionRule,
  deleteDecisionRule,
  listDecisionRules,
  previewDecisionRule,
  type RuleDecision,
  type RuleFilters,
} from '../commands/decision-rules';
import type { Flags } from '../settings/read-settings';
import type { ProgramDeps } from './deps';
import { owned } from './lists';
import { readLimit } from './read-limit';

/** Adds the flags that a kind of command has. */
type AddFlags = (command: Command) => Command;
type AsJson = { output: string };

const kinds = ['risk_accepted', 'not_affected', 'false_positive', 'in_triage'];

/** The commands of standing rules. */
export function addDecisionRules(
  program: Command,
  deps: ProgramDeps,
  { connected, ofProject, scoped }: Record<'connected' | 'ofProject' | 'scoped', AddFlags>,
): void {
  const rules = program
    .command('decision-rules')
    .description('standing rules: a filter with a decision that applies to what comes later, too');
  ofProject(rules.command('list'))
    .description('list the rules of a project')
    .addOption(asJson())
    .action(async (flags: Flags & AsJson) => {
      deps.ended(await listDecisionRules(deps.context(flags), flags.output === 'json'));
    });
  filtered(scoped(rules.command('preview')))
    .description('what a rule would decide now')
    .option('--limit <number>', 'maximum number', readLimit, 100)
    .addOption(asJson())
    .action(async (flags: Flags & RuleFilters & AsJson & { limit: number }) => {
      const options = { ...flags, json: flags.output === 'json' };
      deps.ended(await previewDecisionRule(deps.context(flags), options));
    });
  filtered(scoped(rules.command('create')))
    .description('create a rule; needs the scope write')
    .requiredOption('--name <name>', 'what the rule is called')
    .addOption(new Option('--decision <kind>').choices(kinds).makeOptionMandatory())
    .requiredOption('--reason <text>', 'why')
    .option('--justification <justification>', 'for not_affected: one of the five of OpenVEX')
    .option('--detail <text>', 'more about it')
    .option('--ticket <url>', 'address of a ticket')
    .option('--assignee <name>', 'who looks after it')
    .option('--expires <time>', 'end of the rule: 90d, or an ISO 8601 time')
    .addOption(asJson())
    .action(async (flags: Flags & RuleFilters & RuleDecision & AsJson) => {
      const json = flags.output === 'json';
      const options = { filters: flags, decision: flags, json };
      deps.ended(await createDecisionRule(deps.context(flags), options));
    });
  connected(rules.command('delete'))
    .description('delete a rule: what it decided is open again')
    .argument('<id>', 'its id')
    .action(async (id: string, flags: Flags) => {
      deps.ended(await deleteDecisionRule(deps.context(flags), id));
    });
}

function filtered(command: Command): Command {
  return owned(command)
    .option('--severity <severities>', 'only these, comma-separated')
    .option('--id <id>', 'only this vulnerability, by any of its ids')
    .option('--package <name>', 'only this package; a * at the end stands for the rest')
    .option('--purl <purl>', 'only this package, with a version only that version')
    .option('--ecosystem <name>', 'only this ecosystem, e.g. npm, PyPI, Debian')
    .option('--fixable', 'only with a known fix')
    .option('--unfixable', 'only without a known fix')
    .option('--direct', 'only direct dependencies')
    .option('--indirect', 'only indirect dependencies')
    .option('--all', 'everything in the project or service, if no filter is given');
}

const asJson = (): Option =>
  new Option('--output <format>').choices(['table', 'json']).default('table');
