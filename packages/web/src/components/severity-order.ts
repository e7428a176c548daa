/** From the worst to the one that nobody knows. */
export const severities = ['critical', 'high', 'medium', 'low', 'none', 'unknown'] as const;

export type Severity = (typeof severities)[number];
