import type { Digest } from '../domain/digest';

/** The `config` of a rule, as the client gave it. */
export type ChannelConfig = Readonly<Record<string, unknown>>;

/** What came of one attempt. A reason is one sentence without any secret, such as the path of a webhook. */
export type Outcome =
  | {
      kind: 'sent';
      /** What was not as it should be although it was sent: one sentence for the operator. */
      note?: string;
    }
  | {
      kind: 'failed';
      reason: string;
      /** The receiver asked to be left alone for so long. */
      retryAfterMs?: number;
    };

/** Where a message goes. */
export interface Target {
  /** Messages with the same key go one after the other; holds no secret (a hash). */
  key: string;
  /** Hashes of the addresses that a message goes to, each once: what bounds messages to one of them counts by these. */
  receivers: readonly string[];
  /**
   * One attempt, within a bounded time; never throws. Repeating it sends again.
   *
   * @param signal ends it early, as failed
   */
  send(digest: Digest, signal: AbortSignal): Promise<Outcome>;
}

/** A way to tell people. */
export interface Channel {
  /** The message as text, for a preview. */
  preview(digest: Digest): string;
  /** Where a rule's messages go; or why it has no place to go to. */
  targetOf(rule: { id: string; config: ChannelConfig }): Target | { unconfigured: string };
}
