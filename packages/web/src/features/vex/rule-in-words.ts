import type { Schemas } from '../../api/client';
import { text } from '../../text/en';

/** What a standing rule selects. */
export function selects({
  filter,
  service_names,
}: Pick<Schemas['DecisionRule'], 'filter' | 'service_names'>): string {
  const { service_ids: _ids, ...others } = filter;
  const parts = [
    ...(service_names ?? []).map((name) => name ?? text.common.projectLevel),
    ...Object.entries(others).map(([name, value]) => `${name} ${[value].flat().join(', ')}`),
  ];
  return parts.join(' · ') || text.rules.everything;
}
