import { api, bodyOf } from '../../api/client';
import type { Rule } from './alerts-queries';

/** The rule as it is stored now; one that is gone as it was, since the server refuses a change of it. */
export async function storedRule(rule: Rule): Promise<Rule> {
  for (let page = 1; ; page += 1) {
    const query = { page, per_page: 200 };
    const read = await bodyOf(api.GET('/api/v1/alert-rules', { params: { query } }));
    const stored = read.items.find(({ id }) => id === rule.id);
    if (stored) return stored;
    if (page >= read.total_pages) return rule;
  }
}
