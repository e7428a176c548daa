import {
  AppError,
  rights,
  serviceNames,
  type DeadLetterCount,
  type DeadLetterView,
  type ServiceName,
  type StreamName,
} from '@bomtrail/messages';
import { deadLetterBody, type DeadLetter, type DeadLetters } from '@bomtrail/messaging';

export interface DeadLetterDeps {
  deadLetters: DeadLetters;
}

type Consumer = (typeof rights)[ServiceName]['consumes'][number];

const consumers: ReadonlyMap<string, Consumer> = new Map(
  serviceNames.flatMap((name) => rights[name].consumes.map((one) => [one.durable, one] as const)),
);

/** The next letters after an id, oldest first, and how many each consumer has. */
export async function listDeadLetters(
  { deadLetters }: DeadLetterDeps,
  { consumer, after, limit }: { consumer: string | null; after: number; limit: number },
): Promise<{ items: DeadLetterView[]; has_more: boolean; consumers: DeadLetterCount[] }> {
  const counts = await deadLetters.count();
  const items: DeadLetterView[] = [];
  let has_more = false;
  for await (const letter of deadLetters.list(consumer, after)) {
    has_more = items.length === limit;
    if (has_more) break;
    items.push(viewOf(letter));
  }
  return { items, has_more, consumers: counts };
}

/** @throws AppError `dead_letter_not_found` */
export async function readDeadLetter(
  deps: DeadLetterDeps,
  id: number,
): Promise<{ letter: DeadLetterView; message: unknown; base64: string | null }> {
  const letter = await existing(deps, id);
  const { message = null, base64 = null } = deadLetterBody(letter.body);
  return { letter: viewOf(letter), message, base64 };
}

/** @throws AppError `dead_letter_not_found`, `dead_letter_not_replayable` */
export async function replayDeadLetter(deps: DeadLetterDeps, id: number): Promise<void> {
  const letter = await existing(deps, id);
  // The subjects of other releases have no consumer, and no permission.
  const name = consumers.get(letter.consumer)?.message.name;
  const isTaken = letter.subject === name || letter.subject.startsWith(`${name}.`);
  if (!isTaken) throw new AppError('dead_letter_not_replayable');
  await deps.deadLetters.replay(letter);
}

/** @throws AppError `dead_letter_not_found` */
export async function deleteDeadLetter(deps: DeadLetterDeps, id: number): Promise<void> {
  await existing(deps, id);
  if (!(await deps.deadLetters.drop(id))) throw new AppError('dead_letter_not_found');
}

async function existing({ deadLetters }: DeadLetterDeps, id: number): Promise<DeadLetter> {
  const letter = await deadLetters.read(id);
  if (!letter) throw new AppError('dead_letter_not_found');
  return letter;
}

function viewOf(letter: DeadLetter): DeadLetterView {
  const { id, at, consumer, subject, attempts, reason } = letter;
  const known = consumers.get(consumer);
  const service = known?.service ?? null;
  const stream: StreamName | null = known?.message.stream ?? null;
  return {
    id,
    dead_lettered_at: at.toISOString(),
    consumer,
    service,
    stream,
    subject,
    attempts,
    reason: withoutCredentials(reason),
  };
}

/** Without user, password and query of the addresses that errors of clients name. */
function withoutCredentials(text: string): string {
  return text.replaceAll(/\/\/[^/\s@]*@/g, '//').replaceAll(/(:\/\/[^\s?#]*)[?#]\S*/g, '$1');
}
