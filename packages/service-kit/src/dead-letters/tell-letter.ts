import { decodeFrame } from '../bus/frame';
import type { DeadLetter } from './letters';

/** A letter in one line. */
export function tellLetter({ id, at, consumer, attempts, subject, reason }: DeadLetter): string {
  const tries = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return printable(`${id}  ${at.toISOString()}  ${consumer}  ${tries}  ${subject}  ${reason}`);
}

/** The same as a JSON object, with the message where it can be read. */
export function tellLetterAsJson({ body, ...letter }: DeadLetter): string {
  return JSON.stringify({ ...letter, ...bodyOf(body) });
}

/** All of a letter, one thing a line, the message last. */
export function tellWholeLetter({ body, ...letter }: DeadLetter): string[] {
  const { message, base64 } = bodyOf(body);
  return [
    `id: ${letter.id}`,
    `time: ${letter.at.toISOString()}`,
    `consumer: ${letter.consumer}`,
    `subject: ${letter.subject}`,
    `attempts: ${letter.attempts}`,
    `reason: ${letter.reason}`,
    base64 === undefined ? `message: ${JSON.stringify(message)}` : `bytes, as base64: ${base64}`,
  ].map(printable);
}

/** What cannot be read is shown as it is. */
function bodyOf(bytes: Uint8Array): { message?: unknown; base64?: string } {
  try {
    return { message: decodeFrame(bytes).json };
  } catch {
    return { base64: Buffer.from(bytes).toString('base64') };
  }
}

/** Messages may hold anything, and a terminal obeys control characters. */
function printable(text: string): string {
  return text.replace(/\p{C}/gu, '?');
}
