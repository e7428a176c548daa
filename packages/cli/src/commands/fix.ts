import type { RemediationPage } from '@bomtrail/api-client';
import type { Context, Outcome } from '../context';
import { EXIT } from '../exit-codes';
import { jsonText } from '../output/clean-text';
import { planCsv, planLine, planMarkdown, planTable } from '../output/plan';
import { doubtOfList } from './doubt-of-list';
import { ownedBy, type Owned } from './lists';
import { readPages } from './read-pages';
import { scopeOf } from './scope-of';

export const fixFormats = ['table', 'json', 'csv', 'markdown'] as const;

export interface FixOptions extends Owned {
  limit: number;
  output: (typeof fixFormats)[number];
}

/**
 * Shows the upgrade plan of a project or service; of all projects if none is set. Says why it may be incomplete, see
 * `doubtOfList`; an empty plan is then undecided.
 */
export async function fix(context: Context, options: FixOptions): Promise<Outcome> {
  const { api, settings, print } = context;
  const scope = await scopeOf(context);
  const read = await readPages(options.limit, (paging) =>
    api.remediations({ ...scope, ...ownedBy(options), ...paging }),
  );
  const where = [settings.project ?? 'all projects', settings.service].filter(Boolean).join('/');
  print(textOf(read, where, options.output));
  const { advisory_data } = read;
  const doubt = await doubtOfList(api, { advisory_data, scope });
  if (doubt !== null && read.total === 0)
    return {
      exitCode: EXIT.undecided,
      line: `UNDECIDED ${where}: nothing to plan, but ${doubt} (advisories: ${advisory_data})`,
    };
  return { exitCode: EXIT.pass, line: planLine(where, read, doubt) };
}

function textOf(page: RemediationPage, where: string, format: FixOptions['output']): string {
  if (format === 'json') return jsonText(page);
  if (format === 'csv') return planCsv(page.items);
  if (format === 'markdown') return planMarkdown(where, page);
  return page.items.length > 0 ? `${planTable(page.items)}\n` : '';
}
