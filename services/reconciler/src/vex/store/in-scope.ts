import type { ProjectScope } from '@bomtrail/messages';
import { oneOrSeveral } from '@bomtrail/mongo';

/** The condition for documents of these projects; undefined: of all. */
export function inScope(within: ProjectScope | undefined) {
  return within === undefined ? {} : { project_id: oneOrSeveral(within) };
}
