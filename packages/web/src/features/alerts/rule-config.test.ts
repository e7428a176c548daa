import type { Rule } from './alerts-queries';
import { refuseIfChanged } from '../projects/refuse-if-changed';
import { changesOf, configOf, hasReason, ofConfig, reasonsOf } from './rule-config';

const rule = {
  notification_type: 'email',
  by_severity: true,
  kev: true,
  min_epss: null,
} as unknown as Rule;
const reasons = { by_severity: true, kev: true, min_epss: '' };

test('a change that names neither receiver nor other reasons keeps the stored configuration', () => {
  expect(configOf(rule, { channel: 'email', receiver: ' ', secret: '', reasons })).toBeUndefined();
});

test('another channel does not keep the receiver of the one before', () => {
  expect(configOf(rule, { channel: 'teams', receiver: '', secret: '', reasons })).toEqual({
    kev: true,
  });
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

test('only what was changed in a rule is sent: the rest may have been changed elsewhere', () => {
  const same = {
    project_id: 'shop',
    severity_threshold: 'high' as const,
    notification_type: 'email' as const,
    config: undefined,
  };
  const stored: Rule = { ...rule, ...same };
  expect(changesOf(stored, same)).toEqual({});
  expect(changesOf(stored, { ...same, severity_threshold: 'low' })).toEqual({
    severity_threshold: 'low',
  });
  const given = { channel: 'email', receiver: 'a@b.example', secret: '', reasons } as const;
  const config = configOf(stored, given);
  expect(config).toBeDefined();
  expect(changesOf(stored, { ...same, config })).toEqual({ notification_type: 'email', config });
});

test('what is sent as a whole is refused if the reasons, the options or the channel were changed elsewhere', () => {
  const refusing = (change: object) => () =>
    refuseIfChanged(rule, { ...rule, ...change } as Rule, ofConfig);
  expect(refusing({ enabled: false, severity_threshold: 'low' })).not.toThrow();
  const options = { owner: 'Kim', labels: [], quiet_hours: null, digest: null };
  for (const change of [{ kev: false }, { notification_type: 'slack' }, { options }])
    expect(refusing(change)).toThrow('changed elsewhere');
});
