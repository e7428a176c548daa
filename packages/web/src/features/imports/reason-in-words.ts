import { text } from '../../text/en';

/** Why something was not imported; a reason of a newer command has no words here. */
export function reasonInWords(reason: string): string {
  const reasons: Readonly<Record<string, string>> = text.imports.reasons;
  return reasons[reason] ?? reason;
}
