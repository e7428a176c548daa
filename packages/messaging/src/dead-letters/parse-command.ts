import { parseArgs } from 'node:util';

/** A parsed command line. */
export type DeadLettersCommand =
  | { kind: 'list'; consumer: string | null; json: boolean }
  | { kind: 'show'; id: number }
  | { kind: 'replay' | 'drop'; which: { ids: number[] } | { all: true; consumer: string | null } };

/** The command line is invalid. */
export class UsageError extends Error {}

export const deadLettersUsage = [
  'Usage: npm run dead-letters -- list [--consumer NAME] [--json]',
  '       npm run dead-letters -- show ID',
  '       npm run dead-letters -- replay ID... | --all [--consumer NAME]',
  '       npm run dead-letters -- drop ID... | --all [--consumer NAME]',
].join('\n');

/** Parses the arguments after the command's name. @throws UsageError */
export function parseDeadLettersCommand(args: string[]): DeadLettersCommand {
  const { positionals, values } = parsed(args);
  const [kind, ...rest] = positionals;
  const { all = false, json = false, consumer = null } = values;
  if (consumer === '' || /[\s.*>]/.test(consumer ?? '')) {
    throw new UsageError('--consumer needs the name of a consumer.');
  }
  if (kind === 'list') {
    if (rest.length > 0 || all) throw new UsageError('list takes no ids and no --all.');
    return { kind, consumer, json };
  }
  if (kind !== 'show' && kind !== 'replay' && kind !== 'drop') {
    throw new UsageError('The command must be list, show, replay or drop.');
  }
  if (json) throw new UsageError('--json is allowed with list only.');
  const ids = [...new Set(rest.map(idOf))];
  if (kind === 'show') {
    const [id] = ids;
    if (id === undefined || ids.length > 1 || all || consumer !== null) {
      throw new UsageError('show needs the id of one dead letter.');
    }
    return { kind, id };
  }
  if (all) {
    if (ids.length > 0) throw new UsageError('Give ids or --all, not both.');
    return { kind, which: { all, consumer } };
  }
  if (ids.length === 0 || consumer !== null) {
    throw new UsageError(`${kind} needs ids of dead letters, or --all.`);
  }
  return { kind, which: { ids } };
}

function idOf(text: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id) || id < 1) {
    throw new UsageError(`${text} is not an id; list prints the ids.`);
  }
  return id;
}

function parsed(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        all: { type: 'boolean' },
        json: { type: 'boolean' },
        consumer: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}
