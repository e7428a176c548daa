import * as messages from '@bomtrail/messages';
import type { Request } from '@bomtrail/messaging';

/** What the licence rule of a gate found; `no_policy`: the project has none, or none was named. */
export type LicenseResult = messages.LicenseJudgement | 'no_policy';

/**
 * Judges the licences of components by the policy of a project, as it is now.
 *
 * @param components a stored set, or unstored ones as `readComponents` packs them
 * @returns null: the gate has no such rule
 */
export async function judgeLicenses(
  { request }: { request: Request },
  gate: { fail_on_license: boolean },
  { projectId, components }: { projectId: string | null; components: string | Uint8Array },
): Promise<LicenseResult | null> {
  if (!gate.fail_on_license) return null;
  if (projectId === null) return 'no_policy';
  const named = { project_id: projectId, project_slug: null };
  const { license_policy: policy } = (await request(messages.getProject, named)).body;
  if (!policy) return 'no_policy';
  const isStored = typeof components === 'string';
  const query = { digest: isStored ? components : null, policy, at: new Date().toISOString() };
  const judged = await request(
    messages.judgeLicenses,
    query,
    isStored ? undefined : Buffer.from(components),
  );
  return judged.body;
}
