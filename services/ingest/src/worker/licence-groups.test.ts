import { licenseGroups, licenseQuery } from '@bomtrail/messages';
import { LICENCE_GROUPS } from '@bomtrail/sbom-formats';

test('the groups of policies and searches are those that licences have, in their order', () => {
  expect(licenseGroups).toEqual(LICENCE_GROUPS);
  const { group } = licenseQuery.shape;
  expect(group.unwrap().options).toEqual([...LICENCE_GROUPS, 'unknown']);
});
