import { parseArgs } from 'node:util';

/** Options of the command. */
export interface ReconcileCommand {
  repair: boolean;
  /** Id or slug. */
  project: string | null;
  /** Id. */
  service: string | null;
  json: boolean;
}

/** The arguments are invalid; the message names the problem. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const reconcileUsage = `Usage: npm run reconcile -- --verify [options]
  --verify           compare what is stored of every service with a full recomputation; changes nothing
  --repair           recompute the services that differ
  --project ID|SLUG  only the services of this project, and the project itself
  --service ID       only this service
  --json             one JSON object a line instead of text
Exit code: 0 nothing is wrong, 1 something differs, or could not be judged, 2 wrong usage,
3 the database or the services cannot be reached`;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses the arguments. @throws UsageError */
export function parseReconcileCommand(args: string[]): ReconcileCommand {
  const { verify = false, repair = false, project, service, json = false } = parsed(args);
  if (!verify) throw new UsageError('--verify is required.');
  if (project === '') throw new UsageError('--project needs an id or a slug.');
  if (service !== undefined && !uuid.test(service)) {
    throw new UsageError('--service needs the id of a service.');
  }
  return {
    repair,
    json,
    service: service?.toLowerCase() ?? null,
    project: uuid.test(project ?? '') ? (project ?? '').toLowerCase() : (project ?? null),
  };
}

/** Tells an id from a slug. */
export function isId(text: string): boolean {
  return uuid.test(text);
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        verify: { type: 'boolean' },
        repair: { type: 'boolean' },
        project: { type: 'string' },
        service: { type: 'string' },
        json: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
