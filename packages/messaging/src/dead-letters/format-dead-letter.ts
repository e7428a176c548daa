import { decodeFrame } from '../frame';
import type { DeadLetter } from './letters';

/** Formats a dead letter as one line. */
export function formatDeadLetter({
  id,
  at,
  consumer,
  attempts,
  subject,
  reason,
}: DeadLetter): string {
  const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return printable(`${id}  ${at.toISOString()}  ${consumer}  ${tries}  ${subject}  ${reason}`);
}

/** Formats a dead letter as JSON, with the decoded message if possible. */
export function formatDeadLetterAsJson({ body, ...letter }: DeadLetter): string {
  return JSON.stringify({ ...letter, ...deadLetterBody(body) });
}

/** Formats all fields of a dead letter, one per line, the message last. */
export function formatDeadLetterInFull({ body, ...letter }: DeadLetter): string[] {
  const { message, base64 } = deadLetterBody(body);
  return [
    `id: ${letter.id}`,
    `time: ${letter.at.toISOString()}`,
    `consumer: ${letter.consumer}`,
    `subject: ${letter.subject}`,
    `attempts: ${letter.attempts}`,
    `reason: ${letter.reason}`,
    base64 === undefined ? `message: ${JSON.stringify(message)}` : `body (base64): ${base64}`,
  ].map(printable);
}

/** Decodes the body of a dead letter; base64 if that fails. */
export function deadLetterBody(bytes: Uint8Array): { message?: unknown; base64?: string } {
  try {
    return { message: decodeFrame(bytes).json };
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
}

/** Replaces control characters, which a terminal would interpret. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
