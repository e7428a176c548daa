import { createHash } from 'node:crypto';
import { domainToASCII } from 'node:url';
import type { Digest } from '../../domain/digest';

/** Headers that identify a mail and its thread, without untrusted text. */
export interface MailIdentity {
  messageId: string;
  /** The synthetic first message of the rule's thread, which is never sent. */
  threadId: string;
  listId: string;
}

/**
 * Identifiers of a mail, its thread and its list.
 *
 * - `messageId` is equal for all attempts with the same content, so that a mailbox can drop a
 * duplicate, for
 * example after a lost reply (RFC 5322 3.6.4).
 * - `threadId`, for `References` and `In-Reply-To`, is equal for all mails of a rule (RFC 5322
 * 3.6.4).
 * - `listId` allows filters by rule (RFC 2919): the rule's id below the sender's domain.
 *
 * @param from the sender's address, whose domain the identifiers use
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
