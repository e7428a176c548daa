import { licensePolicy, type LicensePolicy } from '@bomtrail/messages';
import { ValidationError } from '../shared/http-error';

const { groups, licenses, exceptions } = licensePolicy.shape;
const fieldsOf = {
  policy: Object.keys(licensePolicy.shape),
  groups: Object.keys(groups.unwrap().shape),
  licenses: Object.keys(licenses.unwrap().element.shape),
  exceptions: Object.keys(exceptions.unwrap().element.shape),
};

/**
 * Refuses a field that licence policies do not have, instead of ignoring it: a misspelt group would deny nothing, and
 * an exception with a misspelt end would not end.
 *
 * @throws ValidationError
 */
export function refuseUnknownFields(policy: LicensePolicy | null | undefined): void {
  if (!policy) return;
  const parts: { loc: (string | number)[]; part: object; fields: readonly string[] }[] = [
    { loc: [], part: policy, fields: fieldsOf.policy },
    { loc: ['groups'], part: policy.groups ?? {}, fields: fieldsOf.groups },
    ...(['licenses', 'exceptions'] as const).flatMap((name) =>
      (policy[name] ?? []).map((part, at) => ({ loc: [name, at], part, fields: fieldsOf[name] })),
    ),
  ];
  for (const { loc, part, fields } of parts) {
    const unknown = Object.keys(part).find((name) => !fields.includes(name));
    if (unknown === undefined) continue;
    const msg = `There is no field ${JSON.stringify(unknown.slice(0, 100))}; there are ${fields.join(', ')}`;
    throw new ValidationError([
      { loc: ['body', 'license_policy', ...loc], type: 'value_error', msg },
    ]);
  }
}
