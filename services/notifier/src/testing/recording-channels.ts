import { alertChannels, type AlertChannel } from '@bomtrail/messages';
import type { Channel, ChannelConfig, Outcome } from '../channels/channel';
import type { Digest } from '../domain/digest';

/** An attempt to send, as the channel sees it. */
export interface Attempt {
  ruleId: string;
  /** `config.target` of the rule. */
  target: string;
  digest: Digest;
  at: number;
}

export type RecordingChannels = ReturnType<typeof createRecordingChannels>;

/** Channels that keep what they are given and answer what the test wants. A rule with `config.target` null has no place to go to. */
export function createRecordingChannels() {
  const attempts: Attempt[] = [];
  const sent: Attempt[] = [];
  const responses = new Map<string, (attempt: Attempt, signal: AbortSignal) => Promise<Outcome>>();

  async function send(attempt: Attempt, signal: AbortSignal): Promise<Outcome> {
    attempts.push(attempt);
    const answer = responses.get(attempt.target) ?? (async () => ({ kind: 'sent' }) as const);
    const outcome = await answer(attempt, signal);
    if (outcome.kind === 'sent') sent.push(attempt);
    return outcome;
  }
  const targetOf: Channel['targetOf'] = ({ id, config }) => {
    const target = nameIn(config, id);
    if (target === null) return { unconfigured: 'It has no place to go to.' };
    return {
      key: target,
      receivers: [target],
      send: (digest, signal) => send({ ruleId: id, target, digest, at: Date.now() }, signal),
    };
  };
  const channel: Channel = { preview: (digest) => JSON.stringify(digest), targetOf };
  return {
    channels: channelsAs(channel),
    attempts,
    sent,
    /** What this target answers from now on. */
    answer: (target: string, how: (attempt: Attempt, signal: AbortSignal) => Promise<Outcome>) =>
      void responses.set(target, how),
    sentBy: (ruleId: string) => sent.filter((attempt) => attempt.ruleId === ruleId),
    attemptsOf: (ruleId: string) => attempts.filter((attempt) => attempt.ruleId === ruleId),
  };
}

/** The same channel under every name. */
export function channelsAs(channel: Channel): Record<AlertChannel, Channel> {
  const entries = alertChannels.map((name) => [name, channel] as const);
  return Object.fromEntries(entries) as Record<AlertChannel, Channel>;
}

function nameIn(config: ChannelConfig, id: string): string | null {
  const { target = id } = config;
  return typeof target === 'string' ? target : null;
}
