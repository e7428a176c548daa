/** Ids of what a call was about, in the names of the contract. */
const resourceNames = [
  'project_id',
  'service_id',
  'sbom_id',
  'other_id',
  'vulnerability_id',
  'acceptance_id',
  'alert_id',
  'api_key_id',
] as const;

export type Resources = Partial<Record<(typeof resourceNames)[number], string>>;

/** What the `id` in the answer of an operation that creates something names. */
const createdBy: Readonly<Record<string, keyof Resources>> = {
  createProject: 'project_id',
  uploadSbom: 'sbom_id',
  createAcceptance: 'acceptance_id',
  createAlertRule: 'alert_id',
  createApiKey: 'api_key_id',
};

/** How a call ended. */
export type Outcome =
  /** It was answered: with an HTTP status, and a code where it was refused or failed. */
  | { kind: 'answered'; status: number; code: string | null }
  /** The client went away before its request was whole: nothing was done. */
  | { kind: 'aborted' };

/**
 * What is told of an outcome. `unknown`: the process was killed, or the outcome could not be stored;
 * what was asked for may have been done. The same holds for `failed`.
 */
export type OutcomeWord = 'succeeded' | 'refused' | 'failed' | 'aborted' | 'unknown';

export function outcomeWord(outcome: Outcome | null): OutcomeWord {
  if (outcome === null) return 'unknown';
  if (outcome.kind === 'aborted') return 'aborted';
  if (outcome.status < 400) return 'succeeded';
  return outcome.status < 500 ? 'refused' : 'failed';
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The ids that are among these values, in lower case. Whatever is no UUID is left out: nothing that a client wrote is kept. */
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

/** The id of what an operation has created, by its answer. */
export function createdResource(operationId: string, answer: unknown): Resources {
  const name = createdBy[operationId];
  return name === undefined ? {} : resourcesIn({ [name]: (answer as { id?: unknown } | null)?.id });
}
