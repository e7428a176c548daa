import type { Schemas } from '../../api/client';
import { formatNumber } from '../../components/format';

interface Answer {
  items: readonly Pick<Schemas['AffectedVulnerability'], 'project_id' | 'service_id'>[];
  has_more: boolean;
}

/** How many services an answer about a vulnerability names: one that has it in two packages counts once. */
export function servicesAmong({ items, has_more }: Answer): { count: number; words: string } {
  const services = new Set(items.map(({ project_id, service_id }) => service_id ?? project_id));
  const count = services.size;
  return { count, words: has_more ? `at least ${formatNumber(count)}` : formatNumber(count) };
}
