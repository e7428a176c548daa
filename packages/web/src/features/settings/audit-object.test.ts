import { auditObject, shortId } from './audit-object';

const outcome = 'succeeded';

test('the narrowest object of an entry is named, not its project or service', () => {
  const resources = { project_id: 'p', service_id: 's', sbom_id: 'b' };
  expect(auditObject({ operation: 'uploadSbom', resources, outcome })).toEqual({
    kind: 'sbom_id',
    id: 'b',
    isGone: false,
  });
});

test('what was deleted has no view, an entry of a project alone no other object', () => {
  const of = (operation: string, resources: Record<string, string>) =>
    auditObject({ operation, resources, outcome });
  expect(of('deleteApiKey', { api_key_id: 'k' })?.isGone).toBe(true);
  expect(of('deleteSbom', { sbom_id: 'b' })?.isGone).toBe(true);
  expect(of('createProject', { project_id: 'p' })).toBeNull();
});

test.each(['refused', 'failed', 'aborted', 'unknown'] as const)(
  'the object of a deletion with the outcome %s still has its view',
  (ended) => {
    const entry = { operation: 'deleteSbom', resources: { sbom_id: 'b' }, outcome: ended };
    expect(auditObject(entry)?.isGone).toBe(false);
  },
);

test('ids of the same moment are told apart', () => {
  expect(shortId('0197c1b4-77aa-7f21-8c3d-6e5f4a3b2c1d')).toBe('…4a3b2c1d');
});
