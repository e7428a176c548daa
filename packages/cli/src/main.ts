import { writeSync } from 'node:fs';
import { createApiClient } from '@bomtrail/api-client';
import { proxiedFetch, readProxies, type Proxies } from '@bomtrail/outbound';
import type { Context, Outcome } from './context';
import { EXIT, usageError } from './exit-codes';
import { explainError } from './http/explain-error';
import { directSend } from './http/direct-send';
import { retryingFetch } from './http/retrying-fetch';
import { sendingBy, type Sending } from './http/sending';
import { cleanText } from './output/clean-text';
import { uploadProgress } from './output/progress';
import { buildProgram, usageOf } from './program';
import { discardReports } from './program/discard-reports';
import { readSettings, type Flags } from './settings/read-settings';

/** Defined by the bundler, from package.json. */
declare const BOMTRAIL_CLI_VERSION: string;

const progress = uploadProgress(process.stderr);
let interruptMessage = 'Nothing was sent.';

function say(line: string): void {
  progress.clear();
  process.stderr.write(`${cleanText(line)}\n`);
}

function sendingOf(env: NodeJS.ProcessEnv): Sending {
  const proxies = proxiesOf(env);
  const isDirect = proxies.https === null && proxies.http === null;
  return isDirect ? directSend : sendingBy(proxiedFetch(proxies));
}

function proxiesOf(env: NodeJS.ProcessEnv): Proxies {
  try {
    return readProxies(env);
  } catch (error) {
    throw usageError((error as Error).message);
  }
}

function contextOf(flags: Flags): Context {
  const settings = readSettings(flags, process.env, process.cwd());
  const fetch = retryingFetch({
    forMs: settings.retryForMs,
    send: sendingOf(process.env),
    onRetry: say,
    progress: (sent, total) => progress.at(sent, total),
  });
  const { url: baseUrl, apiKey } = settings;
  return {
    settings,
    api: createApiClient({ baseUrl, apiKey, fetch }),
    fetch,
    print: (text) => process.stdout.write(text),
    say,
    now: () => new Date(),
    setInterruptMessage: (text) => {
      interruptMessage = text;
    },
  };
}

function end({ exitCode, line }: Outcome): void {
  say(line);
  process.exitCode = exitCode;
}

/** Exits immediately: every step leaves a consistent state, which the message describes. */
function interrupted(signal: 'SIGINT' | 'SIGTERM'): never {
  progress.clear();
  writeSync(2, `INTERRUPTED ${interruptMessage}\n`);
  process.exit(signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated);
}

async function fail(thrown: unknown): Promise<void> {
  const error = usageOf(thrown);
  if (error === null) return;
  await discardReports(program, process.cwd());
  const explained = explainError(error);
  if (explained) return end({ exitCode: explained.exitCode, line: `ERROR ${explained.message}` });
  for (const line of String(error.stack).split('\n')) say(line);
  end({ exitCode: EXIT.service, line: 'ERROR Internal error of this program, see above.' });
}

process.once('SIGINT', interrupted);
process.once('SIGTERM', interrupted);
// Node.js would end with 1, which means findings.
process.once('uncaughtException', (error) => {
  writeSync(2, `${cleanText(String(error.stack))}\n`);
  process.exit(EXIT.service);
});
// Messages that nobody reads, as with `2>&1 | head`, change no verdict.
process.stderr.on('error', () => {});
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader may close early, as `head` does.
  if (error.code === 'EPIPE') return;
  progress.clear();
  writeSync(
    2,
    `ERROR Standard output cannot be written: ${cleanText(error.message)}. ${interruptMessage}\n`,
  );
  process.exit(EXIT.usage);
});

const program = buildProgram({
  version: BOMTRAIL_CLI_VERSION,
  folder: process.cwd(),
  input: process.stdin,
  context: contextOf,
  ended: end,
});
program.parseAsync().catch(fail);
