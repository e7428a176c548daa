import { auditObject, shortId } from './audit-object';

test('the narrowest object of an entry is named, not its project or service', () => {
  const resources = { project_id: 'p', service_id: 's', sbom_id: 'b' };
  expect(auditObject({ operation: 'uploadSbom', resources })).toEqual({
    kind: 'sbom_id',
    id: 'b',
    isGone: false,
  });
});

test('what was deleted has no view, an entry of a project alone no other object', () => {
  const resources = { api_key_id: 'k' };
  expect(auditObject({ operation: 'deleteApiKey', resources })?.isGone).toBe(true);
  expect(auditObject({ operation: 'deleteSbom', resources: { sbom_id: 'b' } })?.isGone).toBe(true);
  expect(auditObject({ operation: 'createProject', resources: { project_id: 'p' } })).toBeNull();
});

test('ids of the same moment are told apart', () => {
  expect(shortId('0197c1b4-77aa-7f21-8c3d-6e5f4a3b2c1d')).toBe('…4a3b2c1d');
});
