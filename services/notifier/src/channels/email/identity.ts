import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { Digest } from '../../domain/digest';

/** Headers that say what a mail belongs to. None holds text that is not ours. */
export interface MailIdentity {
  messageId: string;
  /** The synthetic first message of the rule's thread: nobody ever got it. */
  threadId: string;
  listId: string;
}

/**
 * Names a mail, its thread and its list.
 *
 * - `messageId` is the same for every attempt to tell the same, so that a mailbox that got it twice, for
 *   example because the answer of the server was lost, can drop the second (RFC 5322 3.6.4).
 * - `threadId`, for `References` and `In-Reply-To`, is the same for all mails of a rule (RFC 5322 3.6.4).
 * - `listId` lets people filter by rule (RFC 2919): the rule's id below the sender's domain.
 *
 * @param from the sender's address; the names are in its domain
 */
export function mailIdentity(digest: Digest, from: string): MailIdentity {
  const domain = domainToASCII(from.slice(from.lastIndexOf('@') + 1)) || 'localhost';
  const rule = digest.rule.id;
  return {
    messageId: `<alert-${contentHash(digest)}@${domain}>`,
    threadId: `<alert-rule-${rule}@${domain}>`,
    listId: `<${rule}.alerts.${domain}>`,
  };
}

function contentHash(digest: Digest): string {
  const { kind, rule, project, total, counts, key, at } = digest;
  const content = [kind, rule.id, project.id, total, Object.entries(counts).sort(), key ?? at];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex').slice(0, 40);
}
