import type { ApiClient } from '@bomtrail/api-client';
import type { ModelDecision, ModelProject, ModelStatement } from '@bomtrail/reference-model';
import type { sequence } from '@bomtrail/testkit';

export const kinds = ['risk_accepted', 'not_affected', 'false_positive', 'in_triage'] as const;
const statements = ['not_affected', 'under_investigation', 'affected'] as const;

/** The status that a kind of decision gives. */
export function statusOf(kind: (typeof kinds)[number] | undefined): ModelDecision {
  if (kind === 'risk_accepted' || kind === undefined) return 'accepted';
  return kind === 'in_triage' ? 'open' : kind;
}

interface Driven {
  client: ApiClient;
  project_id: string;
  model: Required<ModelProject>;
  serviceId(service: string): Promise<string | undefined>;
}

/** VEX documents and standing rules of a project, in the API and in the model. */
export function createDecisionDriver(
  { client, project_id, model, serviceId }: Driven,
  given: {
    name: string;
    components: readonly string[];
    advisoryIds: readonly string[];
    draw: ReturnType<typeof sequence>;
  },
) {
  const { name, components, advisoryIds, draw } = given;
  const pick = <Element>(list: readonly Element[]): Element => list[draw(list.length)] as Element;
  let minute = 0;
  let version = 0;

  function newStatement(): ModelStatement & { status: (typeof statements)[number] } {
    const component = pick(components);
    const at = component.lastIndexOf('@');
    const status = pick(statements);
    minute += 1;
    return {
      name: pick(advisoryIds),
      package_name: component.slice(0, at),
      version: draw(2) === 0 ? null : component.slice(at + 1),
      status,
      says: status === 'under_investigation' ? 'open' : status,
      // In any order, but no two at once.
      at: new Date(Date.UTC(2026, 0, 1 + draw(28), 0, minute)).toISOString(),
    };
  }

  async function importVex(): Promise<void> {
    const document_id = `https://example.com/${name}/${draw(2)}`;
    version += 1;
    const said = Array.from({ length: 1 + draw(3) }, newStatement);
    const document = {
      '@context': 'https://openvex.dev/ns/v0.2.0',
      '@id': document_id,
      author: 'Model',
      timestamp: '2026-01-01T00:00:00Z',
      version,
      statements: said.map((one) => ({
        vulnerability: { name: one.name },
        timestamp: one.at,
        products: [
          { '@id': `pkg:npm/${one.package_name}${one.version === null ? '' : `@${one.version}`}` },
        ],
        status: one.status,
        ...(one.status === 'not_affected' && { justification: 'vulnerable_code_not_present' }),
        ...(one.status === 'affected' && { action_statement: 'Upgrade.' }),
      })),
    };
    const { id } = await client.importVex(JSON.stringify(document), project_id);
    model.vex = model.vex.filter((one) => one.document_id !== document_id);
    model.vex.push({ id, document_id, version, statements: said });
  }

  async function withdrawVex(): Promise<void> {
    const one = pick(model.vex);
    if (!one) return;
    await client.deleteVex(one.id);
    model.vex.splice(model.vex.indexOf(one), 1);
  }

  async function addRule(): Promise<void> {
    const service = draw(2) === 0 ? null : 'shop';
    const service_id = service === null ? undefined : await serviceId(service);
    if (service !== null && service_id === undefined) return;
    const prefix = `${name}-${pick(['', 'p', 'q'])}`;
    const severity = pick([null, 'critical', 'medium'] as const);
    const decision = pick(kinds);
    const rule = await client.createDecisionRule(project_id, {
      name: 'Rule of the model',
      filter: {
        package_name: `${prefix}*`,
        ...(severity !== null && { severity: [severity] }),
        ...(service_id !== undefined && { service_ids: [service_id] }),
      },
      decision,
      reason: 'By the model.',
    });
    model.rules.push({ id: rule.id, service, prefix, severity, decision: statusOf(decision) });
  }

  async function removeRule(): Promise<void> {
    const one = pick(model.rules);
    if (!one) return;
    await client.deleteDecisionRule(one.id);
    model.rules.splice(model.rules.indexOf(one), 1);
  }

  return {
    async act(): Promise<void> {
      await pick([importVex, importVex, withdrawVex, addRule, addRule, removeRule])();
    },
  };
}
