import { api, bodyOf } from '../../api/client';
import type { Rule } from './alerts-queries';
import { isSameConfig } from './rule-config';

/**
 * Whether the stored rule still has the reasons, the options and the channel of this one: its `config` can only be
 * replaced as a whole.
 */
export async function isConfigOf(rule: Rule): Promise<boolean> {
  for (let page = 1; ; page += 1) {
    const query = { page, per_page: 200 };
    const read = await bodyOf(api.GET('/api/v1/alert-rules', { params: { query } }));
    const stored = read.items.find(({ id }) => id === rule.id);
    if (stored) return isSameConfig(stored, rule);
    // One that is gone is refused by the server.
    if (page >= read.total_pages) return true;
  }
}
