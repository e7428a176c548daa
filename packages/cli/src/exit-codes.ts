/**
 * What the exit code of a command says. A pipeline that only looks at zero is right too: zero is
 * never "it is not known".
 */
export const EXIT = {
  /** Done; where a verdict was asked for: pass. */
  pass: 0,
  /** The policy of the call is broken: findings at or above `--fail-on`. */
  policy: 1,
  /** The call is wrong (flags, settings, key, project, document): repeated unchanged it ends alike. */
  usage: 2,
  /** The service could not be reached or could not answer: repeated later it may end well. */
  service: 3,
  /** It is not known: nothing could be judged, the scan failed or did not end in time. */
  undecided: 4,
  /** Ended by Ctrl-C. */
  interrupted: 130,
  /** Ended by SIGTERM, as CI systems cancel a job. */
  terminated: 143,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An end that is told in one line and needs no trace. */
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
