import { AppError, getProject } from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';
import type { Scope } from '../verification/services-to-verify';
import { verifyServices, type VerifyServicesDeps } from '../verification/verify-services';
import { isId, UsageError, type ReconcileCommand } from './parse-reconcile-command';
import {
  formatTotals,
  formatTotalsAsJson,
  formatVerdict,
  formatVerdictAsJson,
} from './format-verdict';

export interface ReconcileCommandDeps extends Omit<VerifyServicesDeps, 'report' | 'progress'> {
  /** Prints a result line. */
  print: (text: string) => void;
  /** Replaces the progress line; null clears it. Does nothing if stderr is not a terminal. */
  showProgress: (text: string | null) => void;
}

export const exitCodes = { right: 0, wrong: 1, usage: 2, unreachable: 3 } as const;

const betweenProgressMs = 200;

/**
 * Runs the command and returns its exit code.
 *
 * @throws UsageError if the project or service does not exist; AppError `service_unavailable`
 */
export async function runReconcileCommand(
  deps: ReconcileCommandDeps,
  command: ReconcileCommand,
): Promise<number> {
  const scope = await scopeOf(deps.verify.request, command);
  let progressAt = 0;
  const totals = await verifyServices(
    {
      ...deps,
      report: (verdict) => {
        const services = command.json ? formatVerdictAsJson(verdict) : formatVerdict(verdict);
        deps.showProgress(null);
        for (const service of services) deps.print(service);
      },
      progress: (so_far) => {
        if (Date.now() - progressAt < betweenProgressMs) return;
        progressAt = Date.now();
        deps.showProgress(formatTotals(so_far));
      },
    },
    scope,
  );
  deps.showProgress(null);
  if (command.service !== null && totals.services === 0) {
    throw new UsageError(`There is no service ${command.service}.`);
  }
  deps.print(command.json ? formatTotalsAsJson(totals) : formatTotals(totals));
  return totals.differing + totals.undecided === 0 ? exitCodes.right : exitCodes.wrong;
}

async function scopeOf(request: Request, { project, service }: ReconcileCommand): Promise<Scope> {
  if (service !== null) return { service_id: service };
  if (project === null) return {};
  const named = isId(project)
    ? { project_id: project, project_slug: null }
    : { project_id: null, project_slug: project };
  try {
    return { project_id: (await request(getProject, named)).body.id };
  } catch (error) {
    if (error instanceof AppError && error.code === 'project_not_found') {
      throw new UsageError(`There is no project ${project}.`);
    }
    throw error;
  }
}
