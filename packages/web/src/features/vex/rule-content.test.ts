import { changedBody, contentBody, contentOf } from './rule-content';

const rule = {
  name: 'Tests',
  reason: 'Never shipped.',
  decision: 'not_affected',
  justification: 'component_not_present',
  expires_at: null,
} as const;
const content = contentOf(rule);

test('only what was changed in a rule is sent: the rest may have been changed elsewhere', () => {
  expect(changedBody(content, content)).toEqual({});
  expect(changedBody(content, { ...content, reason: 'Left out.' })).toEqual({
    reason: 'Left out.',
  });
  expect(changedBody(content, { ...content, kind: 'risk_accepted' })).toEqual({
    decision: 'risk_accepted',
    justification: null,
  });
  expect(changedBody(content, { ...content, justification: '' })).toEqual({
    decision: 'not_affected',
    justification: null,
  });
});

test('the end of a rule is shown as the day that was chosen, in each time zone', () => {
  const { expires_at } = contentBody({ ...content, until: '2099-12-31' });
  const stored = contentOf({ ...rule, expires_at });
  expect(stored.until).toBe('2099-12-31');
  expect(changedBody(stored, { ...stored, until: '' })).toEqual({ expires_at: null });
});
