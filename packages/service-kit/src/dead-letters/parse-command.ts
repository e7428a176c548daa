import { parseArgs } from 'node:util';

/** What is to be done with which letters. */
export type DeadLettersCommand =
  | { kind: 'list'; consumer: string | null; json: boolean }
  | { kind: 'show'; id: number }
  | { kind: 'replay' | 'drop'; which: { ids: number[] } | { all: true; consumer: string | null } };

/** What was typed cannot be understood. */
export class UsageError extends Error {}

export const deadLettersUsage = [
  'Usage: npm run dead-letters -- list [--consumer NAME] [--json]',
  '       npm run dead-letters -- show ID',
  '       npm run dead-letters -- replay ID... | --all [--consumer NAME]',
  '       npm run dead-letters -- drop ID... | --all [--consumer NAME]',
].join('\n');

/** Reads what was typed behind the command's name. @throws UsageError */
export function parseDeadLettersCommand(args: string[]): DeadLettersCommand {
  const { positionals, values } = parsed(args);
  const [kind, ...rest] = positionals;
  const { all = false, json = false, consumer = null } = values;
  if (consumer === '' || /[\s.*>]/.test(consumer ?? '')) {
    throw new UsageError('--consumer wants the name of a consumer.');
  }
  if (kind === 'list') {
    if (rest.length > 0 || all) throw new UsageError('list takes no letter: it shows all.');
    return { kind, consumer, json };
  }
  if (kind !== 'show' && kind !== 'replay' && kind !== 'drop') {
    throw new UsageError('Say list, show, replay or drop.');
  }
  if (json) throw new UsageError('--json is for list.');
  const ids = [...new Set(rest.map(idOf))];
  if (kind === 'show') {
    const [id] = ids;
    if (id === undefined || ids.length > 1 || all || consumer !== null) {
      throw new UsageError('show wants the id of one letter.');
    }
    return { kind, id };
  }
  if (all) {
    if (ids.length > 0) throw new UsageError('Name letters, or say --all.');
    return { kind, which: { all, consumer } };
  }
  if (ids.length === 0 || consumer !== null) {
    throw new UsageError(`${kind} wants the ids of letters, or --all.`);
  }
  return { kind, which: { ids } };
}

function idOf(text: string): number {
  const id = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(id) || id < 1) {
    throw new UsageError(`${text} is no id of a letter: list shows them.`);
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
