import { join } from 'node:path';
import { spawnManaged } from '../processes/managed-process';
import { splitLines } from './line-splitter';
import { openLog, rotateLog } from './log-file';
import { seldom } from './seldom';
import type { ServiceCommand } from './services';
import type { Program } from './supervise';
import { errorLine } from './error-line';

/** sysexits.h EX_CONFIG, by which a service says that its settings are wrong. */
const WRONG_SETTINGS = 78;
const GRACE_MS = 10_000;
/** The same trouble is shown at most this often; the log has every line. */
const SHOW_AGAIN_MS = 10_000;
const MAX_LINES = 5;

export interface ServiceProgram {
  program: Program;
  logFile: string;
  /** The last lines that were no log records: what a wrong setting or a crash at the start has to say. */
  lastWords: () => string[];
  /** The last warning or error, in short. */
  lastError: () => string | undefined;
  closeLog: () => Promise<void>;
}

/** A service whose output goes to its log file, with warnings and worse told in short as well. */
export function serviceProgram(options: {
  service: ServiceCommand;
  /** Asked for at each start. */
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
