/** Ids of the objects of a call, by field name of the contract. */
const resourceNames = [
  'project_id',
  'service_id',
  'sbom_id',
  'other_id',
  'vulnerability_id',
  'acceptance_id',
  'bulk_id',
  'rule_id',
  'alert_id',
  'api_key_id',
  'person_id',
  'import_id',
  'vex_id',
] as const;

export type Resources = Partial<Record<(typeof resourceNames)[number], string>>;

/** Field names for the `id` in responses of creating operations. */
const createdBy: Readonly<Record<string, keyof Resources>> = {
  createProject: 'project_id',
  uploadSbom: 'sbom_id',
  createAcceptance: 'acceptance_id',
  createGlobalAcceptance: 'acceptance_id',
  decideInBulk: 'bulk_id',
  createDecisionRule: 'rule_id',
  createAlertRule: 'alert_id',
  createApiKey: 'api_key_id',
  createOwnApiKey: 'api_key_id',
  createImport: 'import_id',
  importVex: 'vex_id',
};

/** End of a call. */
export type Outcome =
  /** Response sent, with its HTTP status, and the error code of a failure. */
  | { kind: 'responded'; status: number; code: string | null }
  /** The client disconnected before the request was complete: nothing was done. */
  | { kind: 'aborted' };

/**
 * The outcome in the API. `unknown`: the process was killed or the outcome could not be stored;
 * like `failed`, the change may have been made.
 */
export type OutcomeWord = 'succeeded' | 'refused' | 'failed' | 'aborted' | 'unknown';

export function outcomeWord(outcome: Outcome | null): OutcomeWord {
  if (outcome === null) return 'unknown';
  if (outcome.kind === 'aborted') return 'aborted';
  if (outcome.status < 400) return 'succeeded';
  return outcome.status < 500 ? 'refused' : 'failed';
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * The UUIDs among these values, in lower case. Other values are dropped, so that no client text is
 * stored.
 */
export function resourcesIn(values: unknown): Resources {
  if (typeof values !== 'object' || values === null) return {};
  const given = values as Record<string, unknown>;
  return Object.fromEntries(
    resourceNames.flatMap((name) => {
      const value = given[name];
      return typeof value === 'string' && uuid.test(value) ? [[name, value.toLowerCase()]] : [];
    }),
  );
}

/** The ids in the response of an operation: of the object that it created, and of its project. */
export function resourcesInResponse(operationId: string, response: unknown): Resources {
  const { id, project_id } = (response ?? {}) as { id?: unknown; project_id?: unknown };
  const name = createdBy[operationId];
  return resourcesIn({ project_id, ...(name && { [name]: id }) });
}
