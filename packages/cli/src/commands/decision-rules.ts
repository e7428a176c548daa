import type { DecisionRule, DecisionRuleCreate } from '@bomtrail/api-client';
import type { Context, Outcome } from '../context';
import { EXIT, usageError } from '../exit-codes';
import { projectId } from '../gate/project-target';
import { cleanText, counted, jsonText } from '../output/clean-text';
import { table, VULNERABILITY_HEAD, vulnerabilityCells } from '../output/table';
import { readExpiry } from '../settings/expiry';
import { maxPageSize } from './max-page-size';
import { scopeOf } from './scope-of';

/** What a rule selects, as the flags have it; absent: everything. */
export interface RuleFilters {
  severity?: string;
  id?: string;
  package?: string;
  purl?: string;
  ecosystem?: string;
  fixable?: boolean;
  unfixable?: boolean;
  direct?: boolean;
  indirect?: boolean;
  owner?: string;
  label?: string;
  /** That nothing is given is meant so. */
  all?: boolean;
}

export interface RuleDecision {
  name: string;
  decision: DecisionRuleCreate['decision'];
  reason: string;
  justification?: string;
  detail?: string;
  ticket?: string;
  assignee?: string;
  expires?: string;
}

type Filter = DecisionRuleCreate['filter'];

/** Lists the standing rules of a project, newest first; a project has at most 100. */
export async function listDecisionRules(context: Context, json: boolean): Promise<Outcome> {
  const { api, settings, print } = context;
  const project = await projectId(api, settings.project);
  const page = await api.decisionRules(project, { per_page: maxPageSize });
  if (json) print(jsonText(page));
  else if (page.items.length > 0) {
    const head = ['Name', 'Selects', 'Decision', 'Decides', 'Until', 'Status', 'Id'];
    print(`${table(head, page.items.map(cellsOf))}\n`);
  }
  return passed(`LISTED ${counted(page.total, 'standing rule')} of ${settings.project}`);
}

/** Lists what a rule with these filters would decide now: what is open and has no decision. */
export async function previewDecisionRule(
  context: Context,
  { limit, json, ...filters }: RuleFilters & { limit: number; json: boolean },
): Promise<Outcome> {
  const { api, settings, print } = context;
  const { filter, scope } = await filterOf(context, filters);
  const { service_ids, severity, label, ...others } = filter;
  const query = {
    ...others,
    project_id: scope,
    decision: 'none',
    ...(service_ids && { service_id: service_ids.join(',') }),
    ...(severity && { severity: severity.join(',') }),
    ...(label && { label: label.join(',') }),
  };
  const read = await api.listActive({ ...query, per_page: Math.min(limit, maxPageSize) });
  if (json) print(jsonText(read));
  else if (read.items.length > 0) {
    const rows = read.items.map((row) => [...vulnerabilityCells(row), row.service_name ?? '']);
    print(`${table([...VULNERABILITY_HEAD, 'Service'], rows)}\n`);
  }
  const shown = read.items.length < read.total ? `, ${read.items.length} shown` : '';
  const what = counted(read.total, 'vulnerability', 'vulnerabilities');
  return passed(`PREVIEW a rule would decide ${what} of ${settings.project} now${shown}`);
}

/** Creates a rule. @throws CliError (usage) without a filter, unless everything is meant */
export async function createDecisionRule(
  context: Context,
  { filters, decision, json }: { filters: RuleFilters; decision: RuleDecision; json: boolean },
): Promise<Outcome> {
  const { api, settings, print } = context;
  const expires_at = decision.expires === undefined ? undefined : readExpiry(decision.expires);
  const { filter, scope } = await filterOf(context, filters);
  const { name, reason, justification, detail, ticket, assignee } = decision;
  // The server says which values there are.
  const made = await api.createDecisionRule(scope, {
    name,
    filter,
    decision: decision.decision,
    reason,
    ...(justification && { justification }),
    ...(detail && { detail }),
    ...(ticket && { ticket_url: ticket }),
    ...(assignee && { assignee }),
    ...(expires_at && { expires_at }),
  } as DecisionRuleCreate);
  if (json) print(jsonText(made));
  const until = made.expires_at ? ` until ${made.expires_at}` : '';
  const what = counted(made.decided, 'vulnerability', 'vulnerabilities');
  return passed(
    `CREATED rule ${made.id} of ${settings.project}: ${what} ${made.decision}${until}${made.status === 'applying' ? '; still being applied' : ''}`,
  );
}

/** Deletes a rule: what it decided is open again, unless another decision applies. */
export async function deleteDecisionRule({ api }: Context, id: string): Promise<Outcome> {
  await api.deleteDecisionRule(id);
  return passed(`DELETED rule ${id}`);
}

async function filterOf(
  context: Context,
  given: RuleFilters,
): Promise<{ filter: Filter; scope: string }> {
  const scope = await projectId(context.api, context.settings.project);
  const { service_id } = await scopeOf(context);
  const severity = given.severity?.split(',').map((one) => one.trim().toLowerCase());
  const label = given.label?.split(',').map((one) => one.trim());
  const filter = {
    ...(service_id && { service_ids: [service_id] }),
    ...(severity && { severity }),
    ...(given.id && { cve_id: given.id }),
    ...(given.package && { package_name: given.package }),
    ...(given.purl && { purl: given.purl }),
    ...(given.ecosystem && { ecosystem: given.ecosystem }),
    ...(given.owner && { owner: given.owner }),
    ...(label && { label }),
    ...flag('has_fix', { yes: given.fixable, no: given.unfixable }),
    ...flag('is_direct', { yes: given.direct, no: given.indirect }),
  } as Filter;
  if (Object.keys(filter).length === 0 && !given.all)
    throw usageError('Without a filter a rule decides about everything: give one, or --all.');
  return { filter, scope };
}

function flag(
  name: string,
  { yes, no }: { yes: boolean | undefined; no: boolean | undefined },
): Record<string, boolean> {
  if (yes && no) throw usageError(`${name}: give one of both flags.`);
  return yes || no ? { [name]: Boolean(yes) } : {};
}

function cellsOf(rule: DecisionRule): string[] {
  const { name, filter, service_names, decision, decided, expires_at, status, id } = rule;
  const { service_ids: _ids, ...others } = filter;
  const selects = [
    ...(service_names ?? []).map((one) => `service ${one ?? '(project level)'}`),
    ...Object.entries(others).map(([key, value]) => `${key} ${[value].flat().join(',')}`),
  ];
  return [
    name,
    selects.join(', ') || 'everything',
    decision,
    String(decided),
    expires_at?.slice(0, 16) ?? 'deleted',
    status,
    id,
  ];
}

function passed(text: string): Outcome {
  return { exitCode: EXIT.pass, line: cleanText(text) };
}
