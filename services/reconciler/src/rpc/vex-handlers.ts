import * as messages from '@bomtrail/messages';
import { answers, handles, type RpcTransport } from '@bomtrail/messaging';
import { deleteVex } from '../vex/delete-vex';
import { setEmbeddedVex } from '../vex/embedded-vex';
import { importVex, type ImportVexDeps } from '../vex/import-vex';
import { listVex, readVexDocument } from '../vex/read-vex-document';

/** VEX documents. */
export function vexHandlers(deps: ImportVexDeps): RpcTransport[] {
  return [
    answers(messages.importVex, (body, attachment) => importVex(deps, body, attachment)),
    answers(messages.setEmbeddedVex, (body) => setEmbeddedVex(deps, body)),
    answers(messages.listVex, (body) => listVex(deps, body)),
    answers(messages.readVexDocument, (body) => readVexDocument(deps, body)),
    handles(messages.deleteVex, async (body) => {
      await deleteVex(deps, body);
      return { body: { deleted: true } };
    }),
  ];
}
