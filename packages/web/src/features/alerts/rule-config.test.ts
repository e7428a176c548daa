import type { Rule } from './alerts-queries';
import { configOf, hasReason, reasonsOf } from './rule-config';

const rule = { by_severity: true, kev: true, min_epss: null } as unknown as Rule;
const reasons = { by_severity: true, kev: true, min_epss: '' };

test('a change that names neither receiver nor other reasons keeps the stored configuration', () => {
  expect(configOf(rule, { channel: 'email', receiver: ' ', reasons })).toBeUndefined();
});

test('a new receiver keeps the reasons: a configuration is replaced as a whole', () => {
  expect(
    configOf(rule, { channel: 'email', receiver: 'a@b.example, c@d.example', reasons }),
  ).toEqual({ recipients: ['a@b.example', 'c@d.example'], kev: true });
});

test('other reasons are sent, without the receiver that is not known', () => {
  const other = { by_severity: false, kev: false, min_epss: '0.1' };
  expect(configOf(rule, { channel: 'slack', receiver: '', reasons: other })).toEqual({
    by_severity: false,
    min_epss: 0.1,
  });
});

test('a new rule has a configuration in any case', () => {
  const usual = reasonsOf(undefined);
  expect(configOf(undefined, { channel: 'slack', receiver: '', reasons: usual })).toEqual({});
  expect(hasReason(usual)).toBe(true);
  expect(hasReason({ ...usual, by_severity: false })).toBe(false);
});
