import type { DeadLetter, DeadLetters } from './letters';
import type { DeadLettersCommand } from './parse-command';
import { tellLetter, tellLetterAsJson, tellWholeLetter } from './tell-letter';

export interface DeadLettersCommandDeps {
  letters: DeadLetters;
  /** Writes a result: what a script may read. */
  print: (text: string) => void;
  /** Tells a person what could not be done. */
  complain: (text: string) => void;
}

export const exitCodes = { done: 0, notAll: 1, usage: 2, unreachable: 3 } as const;

/** Does what was asked for; gives the exit code. */
export async function runDeadLettersCommand(
  deps: DeadLettersCommandDeps,
  command: DeadLettersCommand,
): Promise<number> {
  switch (command.kind) {
    case 'list':
      return list(deps, command);
    case 'show': {
      const letter = await deps.letters.read(command.id);
      if (letter) for (const line of tellWholeLetter(letter)) deps.print(line);
      else deps.complain(missing(command.id));
      return letter ? exitCodes.done : exitCodes.notAll;
    }
    default:
      return settle(deps, command);
  }
}

async function list(
  { letters, print }: DeadLettersCommandDeps,
  { consumer, json }: { consumer: string | null; json: boolean },
): Promise<number> {
  let count = 0;
  for await (const letter of letters.list(consumer)) {
    count += 1;
    print(json ? tellLetterAsJson(letter) : tellLetter(letter));
  }
  if (!json) print(`${count} dead ${count === 1 ? 'letter' : 'letters'}.`);
  return exitCodes.done;
}

async function settle(
  deps: DeadLettersCommandDeps,
  { kind, which }: Extract<DeadLettersCommand, { kind: 'replay' | 'drop' }>,
): Promise<number> {
  let done = 0;
  let failed = 0;
  for await (const found of 'ids' in which
    ? named(deps, which.ids)
    : deps.letters.list(which.consumer)) {
    const trouble = typeof found === 'number' ? missing(found) : await settleOne(deps, kind, found);
    if (trouble === null) done += 1;
    else {
      failed += 1;
      deps.complain(trouble);
    }
  }
  const rest = failed === 0 ? '' : `, ${failed} not`;
  deps.print(`${done} ${kind === 'replay' ? 'replayed' : 'dropped'}${rest}.`);
  return failed === 0 ? exitCodes.done : exitCodes.notAll;
}

async function* named(
  { letters }: DeadLettersCommandDeps,
  ids: readonly number[],
): AsyncGenerator<DeadLetter | number> {
  for (const id of ids) yield (await letters.read(id)) ?? id;
}

/** Gives what went wrong, null for nothing. */
async function settleOne(
  { letters, print }: DeadLettersCommandDeps,
  kind: 'replay' | 'drop',
  letter: DeadLetter,
): Promise<string | null> {
  const { id, subject, consumer } = letter;
  try {
    if (kind === 'replay') await letters.replay(letter);
    else if (!(await letters.drop(id))) return missing(id);
  } catch (error) {
    return `${id} stays: ${(error as Error).message}`;
  }
  print(kind === 'replay' ? `${id} is on ${subject} again.` : `${id} of ${consumer} is dropped.`);
  return null;
}

function missing(id: number): string {
  return `There is no dead letter ${id}.`;
}
