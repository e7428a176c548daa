import type { Finding } from './findings-queries';

/** What of chosen findings can be decided, and how many of the others cannot, by why. */
export interface Decidable {
  readonly findings: readonly Finding[];
  /** Not open: decided or fixed. */
  readonly closed: number;
  /** In projects in which the caller may not decide. */
  readonly forbidden: number;
}

export function decidable(
  chosen: readonly Finding[],
  mayDecideIn: (projectId: string) => boolean,
): Decidable {
  const open = chosen.filter(({ status }) => status === 'open');
  const findings = open.filter(({ project_id }) => mayDecideIn(project_id));
  return {
    findings,
    closed: chosen.length - open.length,
    forbidden: open.length - findings.length,
  };
}
