import type { DeadLetter, DeadLetters } from './letters';
import type { DeadLettersCommand } from './parse-command';
import {
  formatDeadLetter,
  formatDeadLetterAsJson,
  formatDeadLetterInFull,
} from './format-dead-letter';

export interface DeadLettersCommandDeps {
  letters: DeadLetters;
  /** Writes a result to standard output. */
  print: (text: string) => void;
  /** Writes an error to standard error. */
  complain: (text: string) => void;
}

export const exitCodes = { done: 0, notAll: 1, usage: 2, unreachable: 3 } as const;

/** Runs a command; returns the exit code. */
export async function runDeadLettersCommand(
  deps: DeadLettersCommandDeps,
  command: DeadLettersCommand,
): Promise<number> {
  switch (command.kind) {
    case 'list':
      return list(deps, command);
    case 'show': {
      const letter = await deps.letters.read(command.id);
      if (letter) for (const line of formatDeadLetterInFull(letter)) deps.print(line);
      else deps.complain(missing(command.id));
      return letter ? exitCodes.done : exitCodes.notAll;
    }
    default:
      return replayOrDrop(deps, command);
  }
}

async function list(
  { letters, print }: DeadLettersCommandDeps,
  { consumer, json }: { consumer: string | null; json: boolean },
): Promise<number> {
  let count = 0;
  for await (const letter of letters.list(consumer)) {
    count += 1;
    print(json ? formatDeadLetterAsJson(letter) : formatDeadLetter(letter));
  }
  if (!json) print(`${count} dead ${count === 1 ? 'letter' : 'letters'}.`);
  return exitCodes.done;
}

async function replayOrDrop(
  deps: DeadLettersCommandDeps,
  { kind, which }: Extract<DeadLettersCommand, { kind: 'replay' | 'drop' }>,
): Promise<number> {
  let done = 0;
  let failed = 0;
  for await (const found of 'ids' in which
    ? named(deps, which.ids)
    : deps.letters.list(which.consumer)) {
    const problem =
      typeof found === 'number' ? missing(found) : await replayOrDropOne(deps, kind, found);
    if (problem === null) done += 1;
    else {
      failed += 1;
      deps.complain(problem);
    }
  }
  const rest = failed === 0 ? '' : `, ${failed} failed`;
  deps.print(`${done} ${kind === 'replay' ? 'replayed' : 'dropped'}${rest}.`);
  return failed === 0 ? exitCodes.done : exitCodes.notAll;
}

async function* named(
  { letters }: DeadLettersCommandDeps,
  ids: readonly number[],
): AsyncGenerator<DeadLetter | number> {
  for (const id of ids) yield (await letters.read(id)) ?? id;
}

/** Returns an error message, or null on success. */
async function replayOrDropOne(
  { letters, print }: DeadLettersCommandDeps,
  kind: 'replay' | 'drop',
  letter: DeadLetter,
): Promise<string | null> {
  const { id, subject, consumer } = letter;
  try {
    if (kind === 'replay') await letters.replay(letter);
    else if (!(await letters.drop(id))) return missing(id);
  } catch (error) {
    return `${id} was not ${kind === 'replay' ? 'replayed' : 'dropped'}: ${(error as Error).message}`;
  }
  print(kind === 'replay' ? `${id} replayed to ${subject}.` : `${id} of ${consumer} dropped.`);
  return null;
}

function missing(id: number): string {
  return `No dead letter ${id}.`;
}
