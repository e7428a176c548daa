import * as messages from '@bomtrail/messages';
import { answers, gzip, handles, type RpcTransport } from '@bomtrail/messaging';
import { countSbomFindings, type CountSbomFindingsDeps } from '../queries/count-sbom-findings';
import {
  judgeComponents,
  type Checked,
  type JudgeComponentsDeps,
} from '../queries/judge-components';
import { packPages } from './pack-pages';

export type GateHandlersDeps = CountSbomFindingsDeps & JudgeComponentsDeps;

/** What gates ask, about SBOMs and about documents that are stored nowhere. */
export function gateHandlers(deps: GateHandlersDeps): RpcTransport[] {
  return [
    handles(messages.countFindings, async (body) => {
      const { counts, failing } = await countSbomFindings(deps, body);
      const snapshot = JSON.stringify(failing.slice(0, messages.maxFailingReturned));
      return { body: counts, attachment: await gzip(snapshot, { level: 1 }) };
    }),
    answers(messages.hasVex, async ({ project_id }) => ({
      has_vex: (await deps.vexDocuments.revisionOf(project_id)) > 0,
    })),
    handles(messages.judgeComponents, (query, packed, gone) =>
      judgementOf(deps, query, { packed, document: null, gone }),
    ),
    handles(messages.judgeDocument, ({ component_bytes, size, ...query }, attachment, gone) => {
      const packed = attachment && attachment.subarray(0, component_bytes);
      const bytes = attachment && attachment.subarray(component_bytes);
      return judgementOf(deps, query, { packed, document: bytes && { bytes, size }, gone });
    }),
  ];
}

async function judgementOf(
  deps: JudgeComponentsDeps,
  query: messages.ComponentsToJudge,
  { packed, document, gone }: Omit<Checked, 'packed'> & { packed: Uint8Array | null },
): Promise<{ body: messages.ComponentsJudgement; attachment: Uint8Array }> {
  if (!packed) throw new messages.AppError('malformed_body', 'The components are missing.');
  const { match, pages, judged } = await judgeComponents(deps, query, { packed, document, gone });
  const { count: total, attachment: all } = await packPages(pages());
  const { counts: found, failing } = judged();
  const worst = await gzip(JSON.stringify(failing), { level: 1 });
  return {
    body: { ...match, found, total, failing_bytes: worst.byteLength },
    attachment: Buffer.concat([worst, all]),
  };
}
