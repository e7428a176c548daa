import type { ChannelConfig } from '../channels/channel';
import type { AlertRuleDocument } from '../store/documents';

/** The `config` of a stored rule. Contains secrets. */
export function configOf(rule: Pick<AlertRuleDocument, 'config'>): ChannelConfig {
  return JSON.parse(rule.config) as ChannelConfig;
}
