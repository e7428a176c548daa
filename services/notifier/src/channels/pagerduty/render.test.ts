import { pagerDutyFault } from '@bomtrail/testkit';
import fc from 'fast-check';
import { anyDigest } from '../../testing/digests';
import { exampleDigest } from '../../testing/example-digest';
import { pagerDutyEvent, pagerDutySeverity } from './render';

const key = 'R0'.repeat(16);

test('whatever the texts are, PagerDuty takes the event, and links are ours', () => {
  fc.assert(
    fc.property(anyDigest, (digest) => {
      const event = pagerDutyEvent(digest, key);
      expect(pagerDutyFault(JSON.parse(JSON.stringify(event)))).toBeUndefined();
      const { vulnerabilities } = event.payload.custom_details;
      expect(JSON.stringify([event.payload.summary, vulnerabilities])).not.toMatch(/:\/\//);
    }),
  );
});

test('AL7 a retry has the dedup_key of the first attempt, other alert periods another', () => {
  const digest = exampleDigest();
  const keyOf = (of: object) => pagerDutyEvent({ ...digest, ...of }, key).dedup_key;
  expect(keyOf({ at: '2026-03-01T10:00:00.000Z' })).toBe(keyOf({}));
  expect(keyOf({ key: 'other' })).not.toBe(keyOf({}));
});

test.each([
  [{ critical: 1, low: 9 }, 'critical'],
  [{ high: 1, medium: 3 }, 'error'],
  [{ medium: 1 }, 'warning'],
  [{ unknown: 1, low: 1 }, 'warning'],
  [{ low: 2 }, 'info'],
  [{}, 'info'],
])('of %j the event is %s', (counts, severity) => {
  expect(pagerDutySeverity({ kind: 'alert', counts })).toBe(severity);
});

test('a test pages nobody as critical', () => {
  expect(pagerDutySeverity({ kind: 'test', counts: { critical: 1 } })).toBe('info');
});
