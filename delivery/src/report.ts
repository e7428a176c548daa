/** Tells each step as it ends, and counts. */
export interface Report {
  /** A check that ran; without mistakes it has passed. */
  check(name: string, errors: readonly string[]): void;
  /** A check that could not run here, with its reason; it counts as neither passed nor failed. */
  notRun(name: string, why: string): void;
  /** `N passed, N failed`, above it what did not run. */
  closingLines(): string[];
  /** True when a check failed, or none ran. */
  readonly failed: boolean;
}

/** @param say shows one line */
export function startReport(say: (line: string) => void): Report {
  let passed = 0;
  let failed = 0;
  const left: string[] = [];
  return {
    check(name, errors) {
      if (errors.length === 0) passed++;
      else failed++;
      say(`${errors.length === 0 ? 'ok    ' : 'FAILED'} ${name}`);
      for (const error of errors) say(`         ${error}`);
    },
    notRun(name, why) {
      left.push(`not run: ${name}: ${why}`);
    },
    closingLines: () => [...left, `${passed} passed, ${failed} failed`],
    get failed() {
      return failed > 0 || passed === 0;
    },
  };
}

/** What could not be fetched is said, not failed: the check did not run. */
export async function orNotRun<Tool>(
  report: Report,
  name: string,
  get: () => Tool | Promise<Tool>,
): Promise<Tool | null> {
  try {
    return await get();
  } catch (error) {
    report.notRun(name, (error as Error).message.replaceAll(/\s+/g, ' '));
    return null;
  }
}
