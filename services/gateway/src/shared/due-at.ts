import type { ServiceLevels, VulnerabilityView } from '@bomtrail/messages';

export const dayMs = 86_400_000;

/**
 * Until when a vulnerability is to be fixed by the service levels of its project (docs/statistics.md, ST7);
 * null without a level for its severity, without a time of detection, or if it is fixed.
 */
export function dueAt(
  { detected_at, severity, status }: Pick<VulnerabilityView, 'detected_at' | 'severity' | 'status'>,
  levels: ServiceLevels | undefined,
): string | null {
  const days = levels?.[severity] ?? null;
  if (days === null || detected_at === null || status === 'fixed') return null;
  return new Date(Date.parse(detected_at) + days * dayMs).toISOString();
}
