import { ApiError } from '@bomtrail/api-client';
import type { Context } from '../context';
import { counted } from '../output/clean-text';
import type { DocumentReport } from '../output/document-report';

/**
 * Stores what the project file ignores in stored SBOMs as acceptances of their services, with reason and expiry. An
 * acceptance applies to a vulnerability in whatever package: entries for one package are left out, and that is said.
 * An acceptance that exists stays unchanged.
 *
 * @throws ApiError `insufficient_scope` without the scope `write`
 */
export async function recordIgnored(
  { api, say }: Context,
  documents: readonly DocumentReport[],
): Promise<void> {
  let [stored, existing, narrower] = [0, 0, 0];
  for (const { judged } of documents) {
    const { project_id, service_id } = judged?.verdict ?? {};
    for (const [vulnerability_id, entry] of judged?.ignored ?? []) {
      if (entry.package !== undefined) {
        narrower += 1;
        continue;
      }
      const made = await api
        .accept({
          project_id: project_id ?? '',
          vulnerability_id,
          ...(service_id && { service_id }),
          reason: entry.reason,
          expires_at: entry.expiresAt.toISOString(),
        })
        .catch((error: unknown) => {
          if (error instanceof ApiError && error.code === 'acceptance_exists') return null;
          throw error;
        });
      if (made) stored += 1;
      else existing += 1;
    }
  }
  const parts = [
    ...(existing > 0 ? [`${existing} existed`] : []),
    ...(narrower > 0
      ? [`${narrower} left out, as their entries are for one package and an acceptance is not`]
      : []),
  ];
  const more = parts.length > 0 ? ` (${parts.join('; ')})` : '';
  say(`Stored ${counted(stored, 'acceptance')} from the project file${more}.`);
}
