import { AppError } from '@bomtrail/messages';

/**
 * What the catalog says of a rule's project. Where that was deleted its rules are going, too: to whoever
 * asks for one it does not exist any more.
 *
 * @throws AppError `alert_rule_not_found` in place of `project_not_found`
 */
export async function ofExistingProject<Value>(query: Promise<Value>): Promise<Value> {
  try {
    return await query;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'project_not_found') throw error;
    throw new AppError('alert_rule_not_found');
  }
}
