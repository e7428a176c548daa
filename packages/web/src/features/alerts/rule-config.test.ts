import type { Rule } from './alerts-queries';
import { configOf, hasReason, reasonsOf } from './rule-config';

const rule = { by_severity: true, kev: true, min_epss: null } as unknown as Rule;
const reasons = { by_severity: true, kev: true, min_epss: '' };

test('a change that names neither receiver nor other reasons keeps the stored configuration', () => {
  expect(configOf(rule, { channel: 'email', receiver: ' ', secret: '', reasons })).toBeUndefined();
});

test('a new receiver keeps the reasons: a configuration is replaced as a whole', () => {
  expect(
    configOf(rule, { channel: 'email', receiver: 'a@b.example, c@d.example', secret: '', reasons }),
  ).toEqual({ recipients: ['a@b.example', 'c@d.example'], kev: true });
});

test('other reasons are sent, without the receiver that is not known', () => {
  const other = { by_severity: false, kev: false, min_epss: '0.1' };
  expect(configOf(rule, { channel: 'slack', receiver: '', secret: '', reasons: other })).toEqual({
    by_severity: false,
    min_epss: 0.1,
  });
});

test('each channel has its receiver under its own name, and only a webhook a key of signatures', () => {
  const to = (channel: 'teams' | 'webhook' | 'pagerduty') =>
    configOf(undefined, {
      channel,
      receiver: 'x',
      secret: 'whsec_y',
      reasons: reasonsOf(undefined),
    });
  expect(to('teams')).toEqual({ webhook_url: 'x' });
  expect(to('webhook')).toEqual({ webhook_url: 'x', webhook_secret: 'whsec_y' });
  expect(to('pagerduty')).toEqual({ routing_key: 'x' });
});

test('a new rule has a configuration in any case', () => {
  const usual = reasonsOf(undefined);
  expect(
    configOf(undefined, { channel: 'slack', receiver: '', secret: '', reasons: usual }),
  ).toEqual({});
  expect(hasReason(usual)).toBe(true);
  expect(hasReason({ ...usual, by_severity: false })).toBe(false);
});
