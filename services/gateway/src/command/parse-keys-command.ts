import { parseArgs } from 'node:util';
import { parseApiKey, scopes as allScopes, type Scope } from '../api-keys/domain/api-key';

/** A parsed command. */
export type KeysCommand =
  | {
      kind: 'create';
      name: string | null;
      /** Empty: all. */
      scopes: Scope[];
      /** Id or slug. */
      project: string | null;
      expiresAt: Date | null;
    }
  | { kind: 'list' }
  | { kind: 'revoke'; key: { id: string } | { prefix: string } };

/** An invalid command line; the message states the problem. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const keysUsage = `Usage: npm run keys -- <command>
  create [--name TEXT] [--scope read|upload|write|admin ...] [--project ID|SLUG] [--expires 90d|2027-01-31]
                     make a key and print it, this once; without --scope it has all scopes
  list               the keys that are not revoked, the newest first
  revoke ID|PREFIX   refuse a key from now on, everywhere within 5 seconds`;

/** What may follow each command. */
const takes: Readonly<Record<string, string>> = {
  create: 'only options, such as --name "CI of the shop"',
  list: 'no arguments',
  revoke: 'one key',
};
const longestName = 255;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const prefix = /^[A-Za-z0-9_-]{12}$/;
const hourMs = 3_600_000;
const unitMs: Readonly<Record<string, number>> = { h: hourMs, d: 24 * hourMs };

/** Parses the arguments. @throws UsageError */
export function parseKeysCommand(args: string[], now: Date): KeysCommand {
  const { values, positionals } = parsed(args);
  const [command, ...rest] = positionals;
  const [key] = rest;
  const extra = command === 'revoke' ? rest[1] : rest[0];
  if (extra !== undefined && command !== undefined && Object.hasOwn(takes, command)) {
    throw new UsageError(`Leave out "${extra}": ${command} takes ${takes[command]}.`);
  }
  if (command !== 'create' && Object.keys(values).length > 0) {
    throw new UsageError('Only create has options.');
  }
  switch (command) {
    case 'create':
      return {
        kind: 'create',
        name: nameFrom(values.name),
        scopes: (values.scope ?? []).flatMap((text) => text.split(',')).map(scopeFrom),
        project: values.project ?? null,
        expiresAt: values.expires === undefined ? null : expiryFrom(values.expires, now),
      };
    case 'list':
      return { kind: 'list' };
    case 'revoke':
      return { kind: 'revoke', key: keyFrom(key ?? '') };
    default:
      throw new UsageError(
        command === undefined ? 'A subcommand is required.' : `Unknown subcommand ${command}.`,
      );
  }
}

/** Allows `create --scope upload write`, as `bomtrail keys create` does: `--scope` before each further value. */
function withEachScope(args: string[]): string[] {
  if (args[0] !== 'create') return args;
  let scopes: number | null = null;
  return args.flatMap((arg) => {
    if (arg.startsWith('-')) {
      scopes = arg === '--scope' ? 0 : arg.startsWith('--scope=') ? 1 : null;
      return [arg];
    }
    return scopes === null || scopes++ === 0 ? [arg] : ['--scope', arg];
  });
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args: withEachScope(args),
      allowPositionals: true,
      options: {
        name: { type: 'string' },
        scope: { type: 'string', multiple: true },
        project: { type: 'string' },
        expires: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function nameFrom(text: string | undefined): string | null {
  if (text !== undefined && [...text].length > longestName) {
    throw new UsageError(`--name has more than ${longestName} characters.`);
  }
  return text ?? null;
}

function scopeFrom(text: string): Scope {
  const scope = allScopes.find((one) => one === text.trim());
  if (!scope) throw new UsageError(`--scope ${text} is none of ${allScopes.join(', ')}.`);
  return scope;
}

/** `90d` and `12h` are relative to now; a date without a time is midnight UTC. */
function expiryFrom(text: string, now: Date): Date {
  const [, count, unit = ''] = /^(\d{1,6})([hd])$/.exec(text) ?? [];
  const isDate = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(
    text,
  );
  const at = count
    ? now.getTime() + Number(count) * (unitMs[unit] ?? NaN)
    : isDate && isDay(text.slice(0, 10))
      ? Date.parse(text)
      : NaN;
  if (Number.isNaN(at)) {
    throw new UsageError(`--expires ${text} is neither 90d nor 12h nor a date such as 2027-01-31.`);
  }
  if (at <= now.getTime()) throw new UsageError(`--expires ${text} is over already.`);
  return new Date(at);
}

/** Whether the day exists; JavaScript turns 2027-02-31 into 2027-03-03. */
function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** Also accepts a whole key, which is what people have who find a leaked one. */
function keyFrom(text: string): { id: string } | { prefix: string } {
  if (uuid.test(text)) return { id: text.toLowerCase() };
  const named = parseApiKey(text)?.prefix ?? text;
  if (prefix.test(named)) return { prefix: named };
  throw new UsageError('revoke wants the id of a key, or its 12 characters (PREFIX in the list).');
}
