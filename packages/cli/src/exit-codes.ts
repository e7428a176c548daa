/** Exit codes. Zero never means "unknown", so checking for zero is safe. */
export const EXIT = {
  /** Success; with a verdict: pass. */
  pass: 0,
  /** Findings at or above `--fail-on`. */
  policy: 1,
  /** Invalid call (flags, settings, key, project, document); retrying does not help. */
  usage: 2,
  /** The server was unreachable or failed; a retry may succeed. */
  service: 3,
  /** Unknown: no component could be evaluated, the scan failed or did not finish in time. */
  undecided: 4,
  /** Interrupted by Ctrl-C. */
  interrupted: 130,
  /** Terminated by SIGTERM, e.g. a cancelled CI job. */
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An expected error, printed as one line without a stack. */
export class CliError extends Error {
  constructor(
    readonly exitCode: ExitCode,
    message: string,
  ) {
    super(message);
    this.name = 'CliError';
  }
}

export function usageError(message: string): CliError {
  return new CliError(EXIT.usage, message);
}

export function serviceError(message: string): CliError {
  return new CliError(EXIT.service, message);
}

export function undecidedError(message: string): CliError {
  return new CliError(EXIT.undecided, message);
}
