import { readFileSync } from 'node:fs';
import { usageError } from '../exit-codes';
import type { Ignore } from '../ignores/ignore';
import { readDuration } from './duration';
import { keyShape, readProjectFile, type ProjectFile, type ProjectFileKey } from './project-file';

export const THRESHOLDS = ['critical', 'high', 'medium', 'low'] as const;
export type Threshold = (typeof THRESHOLDS)[number];
export const TRANSPORTS = ['rest', 'grpc'] as const;
export type Transport = (typeof TRANSPORTS)[number];

/** Flags of a command, as text. */
export interface Flags {
  url?: string;
  grpcUrl?: string;
  apiKeyFile?: string;
  transport?: string;
  project?: string;
  service?: string;
  failOn?: string;
  onlyNew?: boolean;
  failOnKev?: boolean;
  maxEpss?: string;
  onlyFixable?: boolean;
  failOnLicense?: boolean;
  minQuality?: string;
  baseline?: string;
  /** True: default duration. */
  wait?: string | boolean;
  retryFor?: string;
  config?: string;
}

export interface Settings {
  /** Without trailing slash. */
  url: string;
  /** `host:port`, and whether it uses TLS. */
  grpc: { address: string; tls: boolean };
  apiKey: string;
  transport: Transport;
  project: string | undefined;
  service: string | undefined;
  failOn: Threshold | undefined;
  onlyNew: boolean;
  /** A vulnerability known to be exploited fails the gate, whatever its severity. */
  failOnKev: boolean;
  /** A higher EPSS score fails the gate; undefined: none does. */
  maxEpss: number | undefined;
  onlyFixable: boolean;
  /** A licence that the policy of the project denies fails the gate. */
  failOnLicense: boolean;
  /** A lower quality score of the document fails the gate; undefined: none does. */
  minQuality: number | undefined;
  /** `last-passed`, `none`, a version or the id of an SBOM; undefined: the default of the server. */
  baseline: string | undefined;
  /** Milliseconds; null: no wait. */
  waitMs: number | null;
  /** How long to retry transient errors, in milliseconds. */
  retryForMs: number;
  /** Path of the project file; null without one. */
  projectFile: string | null;
  /** Findings that do not count, from the project file; expired entries included. */
  ignores: readonly Ignore[];
  /** Whether `url` comes from the project file. */
  urlFromFile: boolean;
}

const defaultWait = '60s';
const defaultRetry = '60s';

/**
 * Merges flags, environment and project file, in this order of precedence. `NAME_FILE` in the environment is the path
 * of a file with the value of `NAME`.
 *
 * @throws CliError (usage) for the first missing or invalid setting
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
  const flag = (name: string, key: ProjectFileKey): boolean =>
    readFlag(pick(sources, name, key), key);
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
    onlyNew: flags.onlyNew ?? flag('BOMTRAIL_ONLY_NEW', 'only_new'),
    failOnKev: flags.failOnKev ?? flag('BOMTRAIL_FAIL_ON_KEV', 'fail_on_kev'),
    maxEpss: readFraction(flags.maxEpss ?? pick(sources, 'BOMTRAIL_MAX_EPSS', 'max_epss')),
    onlyFixable: flags.onlyFixable ?? flag('BOMTRAIL_ONLY_FIXABLE', 'only_fixable'),
    failOnLicense: flags.failOnLicense ?? flag('BOMTRAIL_FAIL_ON_LICENSE', 'fail_on_license'),
    minQuality: readScore(flags.minQuality ?? pick(sources, 'BOMTRAIL_MIN_QUALITY', 'min_quality')),
    baseline:
      givenText(flags.baseline, 'baseline') ?? pick(sources, 'BOMTRAIL_BASELINE', 'baseline'),
    waitMs: wait === undefined ? null : readDuration(wait, 'wait'),
    retryForMs: readDuration(
      flags.retryFor ?? fromEnv(env, 'BOMTRAIL_RETRY_FOR') ?? defaultRetry,
      'retry-for',
    ),
    projectFile: file.path,
    ignores: file.ignores,
    urlFromFile: given === undefined,
  };
}

/**
 * The value of a flag. An empty one is a variable that is not set, and ignoring it would compare or name something else.
 *
 * @throws CliError (usage) if it is empty
 */
export function givenText(text: string | undefined, flag: string): string | undefined {
  if (text?.trim() === '')
    throw usageError(`--${flag} is empty. Is the variable set that it comes from?`);
  return text;
}

function readFraction(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0 && value <= 1))
    throw usageError(`max-epss: "${text}" is no number from 0 to 1.`);
  return value;
}

function readScore(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^([1-9]\d?|100)$/.test(text.trim()))
    throw usageError(`min-quality: "${text}" is no whole number from 1 to 100.`);
  return Number(text);
}

function pick(
  { env, file }: { env: Readonly<Record<string, string | undefined>>; file: ProjectFile },
  name: string,
  key: ProjectFileKey,
): string | undefined {
  return fromEnv(env, name) ?? file.values[key];
}

/** An empty variable counts as not set. */
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
  if (keyShape.test(file))
    throw usageError(`${setting}: this is an API key, not the name of a file.`);
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw usageError(`${setting}: ${(error as Error).message}`);
  }
}

function readUrl(text: string | undefined): string {
  if (!text) {
    throw usageError('No URL given. Set --url or BOMTRAIL_URL, e.g. https://bomtrail.example.org.');
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw usageError(
      `url: "${redacted(text)}" is not an http:// or https:// URL without credentials.`,
    );
  }
  if (url.search || url.hash || /\/api\/v\d+\/*$/.test(url.pathname)) {
    throw usageError(
      `url: "${text}" is not the address of bomtrail alone. Leave out what follows it: /api/v1, ?… or #….`,
    );
  }
  return text.replace(/\/+$/, '');
}

function redacted(text: string): string {
  return text.replace(keyShape, '…').replace(/(^|\/\/)[^/]*@/, '$1…@');
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

/** There is no flag for the key itself: other users can see the arguments of a process. */
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
  if (/[^\x21-\x7e]/.test(key)) throw usageError('The API key contains invalid characters.');
  return key;
}

function oneOf<Value extends string>(
  values: readonly Value[],
  text: string,
  setting: string,
): Value {
  const found = values.find((value) => value === text.toLowerCase());
  if (!found) throw usageError(`${setting}: "${text}" is not one of ${values.join(', ')}.`);
  return found;
}

function readFlag(text: string | undefined, key: ProjectFileKey): boolean {
  if (text === undefined) return false;
  if (!/^(true|false)$/i.test(text))
    throw usageError(`${key.replaceAll('_', '-')}: "${text}" is neither true nor false.`);
  return text.toLowerCase() === 'true';
}

function waitText(wait: string | boolean | undefined): string | undefined {
  return wait === true ? defaultWait : wait === false ? undefined : wait;
}
