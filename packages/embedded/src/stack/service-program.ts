import { join } from 'node:path';
import { seldom } from '@bomtrail/telemetry';
import { spawnManaged } from '../processes/managed-process';
import { splitLines } from './line-splitter';
import { openLog, rotateLog } from './log-file';
import type { ServiceCommand } from './services';
import type { Program } from './supervise';
import { errorLine } from './error-line';

/** EX_CONFIG of sysexits.h: the settings are invalid. */
const WRONG_SETTINGS = 78;
const GRACE_MS = 10_000;
/** Interval at which the same line is printed again; the log has every line. */
const SHOW_AGAIN_MS = 10_000;
const MAX_LINES = 5;

export interface ServiceProgram {
  program: Program;
  logFile: string;
  /** The last lines that were not log records: settings errors or a crash at the start. */
  lastWords: () => string[];
  /** The last warning or error, shortened. */
  lastError: () => string | undefined;
  closeLog: () => Promise<void>;
}

/** Program of a service. Output goes to its log file; warnings and errors are also printed, shortened. */
export function serviceProgram(options: {
  service: ServiceCommand;
  /** Read at each start. */
  env: () => NodeJS.ProcessEnv;
  logsDir: string;
  say: (line: string) => void;
}): ServiceProgram {
  const { service, env, say } = options;
  const logFile = join(options.logsDir, `${service.name}.log`);
  rotateLog(logFile);
  const log = openLog(logFile, (error) => say(`${logFile} cannot be written: ${error.message}`));
  const isNews = seldom(SHOW_AGAIN_MS);
  const words: string[] = [];
  let lastError: string | undefined;
  const onLine = (line: string): void => {
    const problem = errorLine(service.name, line);
    lastError = problem ?? lastError;
    if (problem !== undefined && isNews(problem)) say(problem);
    if (line.startsWith('{') || line.trim() === '') return;
    words.push(line.trim());
    if (words.length > MAX_LINES) words.shift();
  };
  const launch: Program['launch'] = () => {
    const lines = splitLines(onLine);
    const onOutput = (chunk: Buffer): void => {
      log.write(chunk);
      lines(chunk);
    };
    return spawnManaged({ command: service.command, args: service.args, env: env(), onOutput });
  };
  return {
    program: {
      name: service.name,
      launch,
      graceMs: GRACE_MS,
      hopelessExitCode: WRONG_SETTINGS,
    },
    logFile,
    lastWords: () => [...words],
    lastError: () => lastError,
    closeLog: () => log.close(),
  };
}
