import { readFileSync } from 'node:fs';
import { usageError } from '../exit-codes';
import { readDuration } from './duration';
import { readProjectFile, type ProjectFile, type ProjectFileKey } from './project-file';

export const THRESHOLDS = ['critical', 'high', 'medium', 'low'] as const;
export type Threshold = (typeof THRESHOLDS)[number];
export const TRANSPORTS = ['rest', 'grpc'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** What a command was called with, before environment and project file; all as text. */
export interface Flags {
  url?: string;
  grpcUrl?: string;
  apiKeyFile?: string;
  transport?: string;
  project?: string;
  service?: string;
  failOn?: string;
  onlyNew?: boolean;
  baseline?: string;
  /** True: as long as is usual. */
  wait?: string | boolean;
  retryFor?: string;
  config?: string;
}

export interface Settings {
  /** Without a slash at the end. */
  url: string;
  /** `host:port`, and whether TLS is spoken there. */
  grpc: { address: string; tls: boolean };
  apiKey: string;
  transport: Transport;
  project: string | undefined;
  service: string | undefined;
  failOn: Threshold | undefined;
  onlyNew: boolean;
  /** `last-passed`, `none`, a version or the id of an SBOM; undefined: the service's default. */
  baseline: string | undefined;
  /** null: not waited for. In milliseconds. */
  waitMs: number | null;
  /** How long a call is repeated that finds the service unable, in milliseconds. */
  retryForMs: number;
  /** The project file that was read, null without one. */
  projectFile: string | null;
  /** Does the address come from the project file? */
  urlFromFile: boolean;
}

const usualWait = '60s';
const usualRetry = '60s';

/**
 * Brings flags, environment and project file together: a flag counts before the environment, that
 * before the file. `NAME_FILE` in the environment names a file that holds the value of `NAME`.
 *
 * @throws CliError (usage) for the first setting that is missing or wrong
 */
export function readSettings(
  flags: Flags,
  env: Readonly<Record<string, string | undefined>>,
  folder: string,
): Settings {
  const file = readProjectFile(folder, flags.config ?? env['BOMTRAIL_CONFIG']);
  const sources = { env, file };
  const given = flags.url ?? fromEnv(env, 'BOMTRAIL_URL');
  const url = readUrl(given ?? file.values.url);
  const wait = waitText(flags.wait) ?? pick(sources, 'BOMTRAIL_WAIT', 'wait');
  const failOn = flags.failOn ?? pick(sources, 'BOMTRAIL_FAIL_ON', 'fail_on');
  return {
    url,
    grpc: readGrpcUrl(flags.grpcUrl ?? pick(sources, 'BOMTRAIL_GRPC_URL', 'grpc_url'), url),
    apiKey: readApiKey(flags.apiKeyFile, env),
    transport: oneOf(
      TRANSPORTS,
      flags.transport ?? pick(sources, 'BOMTRAIL_TRANSPORT', 'transport') ?? 'rest',
      'transport',
    ),
    project: flags.project ?? pick(sources, 'BOMTRAIL_PROJECT', 'project'),
    service: flags.service ?? pick(sources, 'BOMTRAIL_SERVICE', 'service'),
    failOn: failOn === undefined ? undefined : oneOf(THRESHOLDS, failOn, 'fail-on'),
    onlyNew: flags.onlyNew ?? readFlag(pick(sources, 'BOMTRAIL_ONLY_NEW', 'only_new')),
    baseline: flags.baseline ?? pick(sources, 'BOMTRAIL_BASELINE', 'baseline'),
    waitMs: wait === undefined ? null : readDuration(wait, 'wait'),
    retryForMs: readDuration(
      flags.retryFor ?? fromEnv(env, 'BOMTRAIL_RETRY_FOR') ?? usualRetry,
      'retry-for',
    ),
    projectFile: file.path,
    urlFromFile: given === undefined,
  };
}

function pick(
  { env, file }: { env: Readonly<Record<string, string | undefined>>; file: ProjectFile },
  name: string,
  key: ProjectFileKey,
): string | undefined {
  return fromEnv(env, name) ?? file.values[key];
}

/** An empty variable counts as not set, as pipelines leave them. */
function fromEnv(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const value = env[name]?.trim();
  if (value) return value;
  const file = env[`${name}_FILE`]?.trim();
  return file ? readValue(file, `${name}_FILE`) : undefined;
}

function readValue(file: string, setting: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw usageError(`${setting}: ${(error as Error).message}`);
  }
}

function readUrl(text: string | undefined): string {
  if (!text) {
    throw usageError(
      'Where is bomtrail? Give --url or BOMTRAIL_URL, e.g. https://bomtrail.example.org.',
    );
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw usageError(
      `url: "${redacted(text)}" is no http:// or https:// address without credentials.`,
    );
  }
  return text.replace(/\/+$/, '');
}

function redacted(text: string): string {
  return text.replace(/\/\/[^/@]*@/, '//…@');
}

/** `grpc://host:50051` or, with TLS, `grpcs://…`; by default port 50051 of the REST address's host. */
function readGrpcUrl(text: string | undefined, url: string): Settings['grpc'] {
  if (text === undefined) {
    const { hostname, protocol } = new URL(url);
    return { address: `${hostname}:50051`, tls: protocol === 'https:' };
  }
  const match = /^(grpcs?):\/\/([^/@\s]+:\d+)\/?$/.exec(text);
  if (!match?.[2]) {
    throw usageError(
      `grpc-url: "${redacted(text)}" is not like grpc://host:50051 or grpcs://host:443.`,
    );
  }
  return { address: match[2], tls: match[1] === 'grpcs' };
}

/** The key stands in no flag: others on the machine see the arguments of a process. */
function readApiKey(
  file: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): string {
  const key = file ? readValue(file, '--api-key-file') : fromEnv(env, 'BOMTRAIL_API_KEY');
  if (!key) {
    throw usageError(
      'No API key: set BOMTRAIL_API_KEY, or BOMTRAIL_API_KEY_FILE, or give --api-key-file.',
    );
  }
  if (/[^\x21-\x7e]/.test(key)) throw usageError('The API key holds characters that no key has.');
  return key;
}

function oneOf<Value extends string>(
  values: readonly Value[],
  text: string,
  setting: string,
): Value {
  const found = values.find((value) => value === text.toLowerCase());
  if (!found) throw usageError(`${setting}: "${text}" is none of ${values.join(', ')}.`);
  return found;
}

function readFlag(text: string | undefined): boolean {
  if (text === undefined) return false;
  if (!/^(true|false)$/i.test(text))
    throw usageError(`only-new: "${text}" is neither true nor false.`);
  return text.toLowerCase() === 'true';
}

function waitText(wait: string | boolean | undefined): string | undefined {
  return wait === true ? usualWait : wait === false ? undefined : wait;
}
