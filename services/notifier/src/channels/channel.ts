import type { Digest } from '../domain/digest';

/** The `config` of a rule, as the client sent it. */
export type ChannelConfig = Readonly<Record<string, unknown>>;

/**
 * Outcome of one attempt. A reason is one sentence without secrets, such as the path of a webhook.
 */
export type Outcome =
  | {
      kind: 'sent';
      /** A problem although it was sent: one sentence for the operator. */
      note?: string;
    }
  | {
      kind: 'failed';
      reason: string;
      /** Pause requested by the receiver. */
      retryAfterMs?: number;
    };

/** Target of a message. */
export interface Target {
  /** Messages with the same key are sent one at a time; contains no secret (a hash). */
  key: string;
  /** Hashes of the distinct receiver addresses, for rate limits. */
  receivers: readonly string[];
  /**
   * One bounded attempt; never throws. Repeating it sends again.
   *
   * @param signal ends the attempt early, as failed
   */
  send(digest: Digest, signal: AbortSignal): Promise<Outcome>;
}

/** A notification channel. */
export interface Channel {
  /** The message as text, for a preview. */
  preview(digest: Digest): string;
  /** The target of a rule, or why it has none. */
  targetOf(rule: { id: string; config: ChannelConfig }): Target | { unconfigured: string };
}
