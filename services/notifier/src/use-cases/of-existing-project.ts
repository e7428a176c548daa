import { AppError } from '@bomtrail/messages';

/**
 * Maps a deleted project to an unknown rule, since its rules are being deleted.
 *
 * @throws AppError `alert_rule_not_found` instead of `project_not_found`
 */
export async function ofExistingProject<Value>(response: Promise<Value>): Promise<Value> {
  try {
    return await response;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'project_not_found') throw error;
    throw new AppError('alert_rule_not_found');
  }
}
