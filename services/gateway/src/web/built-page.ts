import { pageFolder } from '@bomtrail/web';
import type { Logger } from '@bomtrail/telemetry';
import { readPageFiles, type PageFiles } from './page-files';

/** The page as it was built with this gateway; without a build there is none, and the log says so. */
export function builtPage(log: Pick<Logger, 'warn'>): PageFiles | undefined {
  const files = readPageFiles(pageFolder());
  if (!files) log.warn('The page is not built: "/" is not served.');
  return files;
}
