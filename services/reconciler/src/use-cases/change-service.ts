import { TooLargeError } from '../domain/too-large-error';
import { changeInParts, finishInParts } from './change-in-parts';
import { changeOnce, type Decide, type ServiceDeps, type ServiceToChange } from './change-once';

/**
 * The one way to change a line: load, decide, save on condition that nobody else did meanwhile, else
 * again. Nothing is changed on a line that was deleted. Acceptances that were given or taken back
 * between load and save are seen by a look at the project's counter afterwards: whoever gives one looks for rows after it is stored.
 *
 * A line of which rows are behind is brought to its log first. One that is too large to be in memory is
 * changed in parts, see `changeInParts`.
 *
 * @returns `changed` when rows were written, `deletion_state` when the line, or its project, was deleted
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
