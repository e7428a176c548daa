import { decidable } from './decidable';
import type { Finding } from './findings-queries';

const finding = (id: string, project_id: string, status: Finding['status'] = 'open') =>
  ({ id, project_id, status }) as Finding;

test('of chosen findings those are decided that are open and in a project where that is allowed', () => {
  const chosen = [
    finding('1', 'own'),
    finding('2', 'of others'),
    finding('3', 'own', 'fixed'),
    finding('4', 'of others', 'accepted'),
  ];
  expect(decidable(chosen, (project) => project === 'own')).toEqual({
    findings: [chosen[0]],
    closed: 2,
    forbidden: 1,
  });
});
