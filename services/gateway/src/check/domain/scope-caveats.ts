import type { CheckScope } from '@bomtrail/messages';
import type { Remark } from '../../gate/domain/verdict';

/** What a check could not compare a document with; null: no project was named. */
export function scopeCaveats(
  scope: Pick<CheckScope, 'service_id' | 'service_name'> | null,
): Remark<'no_project' | 'service_unknown'>[] {
  if (!scope) {
    const message =
      'No project was named: only decisions for all projects apply, and there is no baseline.';
    return [{ code: 'no_project', message }];
  }
  if (scope.service_id !== null) return [];
  const what =
    scope.service_name === null ? 'project-level service' : `service "${scope.service_name}"`;
  const message = `The project has no ${what}: only decisions for the whole project apply, and there is no baseline.`;
  return [{ code: 'service_unknown', message }];
}
