import { TooLargeError } from './domain/too-large-error';
import { changeInParts, finishInParts } from './change-in-parts';
import { changeOnce, type Decide, type ServiceDeps, type ServiceToChange } from './change-once';

/**
 * The only way to change a service: load, decide, save if it is unchanged, else repeat. Deleted services are
 * not changed. Acceptances that change between load and save are detected by the project's epoch afterwards;
 * whoever creates an acceptance looks for its vulnerabilities after storing it.
 *
 * Pending updates are finished first. A service that does not fit into memory is changed by `changeInParts`.
 *
 * @returns `changed` if vulnerabilities were written, `deleted` if the service or its project was deleted
 */
export async function changeService(
  deps: ServiceDeps,
  at: ServiceToChange,
  decide: Decide,
): Promise<'changed' | 'unchanged' | 'deleted'> {
  return deps.withKey(at.service_id, async () => {
    const { service_id, project_id } = at;
    let hadPendingUpdates = false;
    for (;;) {
      const outcome = await changeOnce(deps, at, decide).catch((error: unknown) => {
        if (error instanceof TooLargeError && !at.isWhole) return 'too large' as const;
        throw error;
      });
      if (outcome === 'too large') return changeInParts(deps, at, decide);
      if (outcome !== 'pending-updates')
        return outcome === 'unchanged' && hadPendingUpdates ? 'changed' : outcome;
      hadPendingUpdates = true;
      if ((await finishInParts(deps, { service_id, project_id })) === 'deleted') return 'deleted';
    }
  });
}
