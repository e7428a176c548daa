import { expect } from '@jest/globals';
import { sendForJson } from '@bomtrail/api-client';
import type { components } from '@bomtrail/api-contract';
import { eventually } from '@bomtrail/testkit';
import type { TestStack } from '../test-stack';

type Evidence = components['schemas']['ExploitedEvidencePage'];

/** The clock of docs/rules.md CR2 runs in lists, and the evidence has the whole history. */
export async function showsEvidence(
  { client, target }: Pick<TestStack, 'client' | 'target'>,
  project_id: string,
): Promise<void> {
  const { row, known } = await eventually(
    async () => {
      const [first] = await client.allActive({ project_id });
      const at = Date.parse(first?.exploited_known_at ?? '');
      expect(at).toBeGreaterThanOrEqual(Date.parse(first?.detected_at ?? ''));
      return { row: first, known: at };
    },
    { what: 'the list has the value, which it may remember for some seconds' },
  );
  const after = (hours: number) => new Date(known + hours * 3_600_000).toISOString();
  expect(row?.reporting_deadlines).toMatchObject({
    early_warning: after(24),
    notification: after(72),
  });
  const accepted = {
    project_id,
    vulnerability_id: row?.id ?? '',
    reason: 'Mitigated: by a proxy.',
  };
  await client.accept(accepted);
  const path = `/api/v1/projects/${project_id}/exploited-evidence`;
  const { items, total } = await sendForJson<Evidence>(target, { path });
  expect(total).toBe(1);
  expect(items[0]).toMatchObject({
    id: row?.id,
    status: 'accepted',
    exploited_known_at: row?.exploited_known_at,
    introduced_in: { version: '1' },
    timeline: [{ event: 'opened' }, { event: 'accepted', reason: accepted.reason }],
  });
  const { baseUrl, apiKey } = target;
  const csv = await fetch(`${baseUrl}${path}?format=csv`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  expect(await csv.text()).toContain('Mitigated: by a proxy.');
}
