import type { LicensePolicy } from '@bomtrail/messages';
import { ValidationError } from '../shared/http-error';
import { refuseUnknownFields } from './policy-fields';

const rule = { license: 'MIT', action: 'deny' };
const exception = { purl: 'pkg:npm/a', reason: 'r', license: null, expires_at: null };

test.each([
  ['a misspelt field', { license: [rule] }, 'license_policy'],
  ['a misspelt group', { groups: { 'strong-copyleft': 'deny' } }, 'license_policy.groups'],
  ['what is unknown as a group', { groups: { unknown: 'deny' } }, 'license_policy.groups'],
  ['a misspelt rule', { licenses: [rule, { ...rule, x: 1 }] }, 'license_policy.licenses.1'],
  [
    'an exception with another end',
    { exceptions: [{ ...exception, expires: '2027-01-01' }] },
    'license_policy.exceptions.0',
  ],
])('%s is refused: a gate would pass by it', (_what, policy, where) => {
  let thrown: unknown;
  try {
    refuseUnknownFields(policy as LicensePolicy);
  } catch (error) {
    thrown = error;
  }
  expect(thrown).toBeInstanceOf(ValidationError);
  expect((thrown as ValidationError).problems[0]?.loc.join('.')).toBe(`body.${where}`);
});

test('a policy with all fields is fine, and so is none', () => {
  refuseUnknownFields(null);
  refuseUnknownFields(undefined);
  refuseUnknownFields({
    groups: { permissive: 'allow' },
    unknown: 'deny',
    licenses: [rule],
    exceptions: [exception],
  } as LicensePolicy);
});
