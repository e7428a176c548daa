import * as messages from '@bomtrail/messages';
import { handles, type RpcTransport } from '@bomtrail/messaging';
import { deleteVex } from '../vex/delete-vex';
import { setEmbeddedVex } from '../vex/embedded-vex';
import { importVex, type ImportVexDeps } from '../vex/import-vex';
import { listVex, readVexDocument } from '../vex/read-vex-document';

/** VEX documents. */
export function vexHandlers(deps: ImportVexDeps): RpcTransport[] {
  return [
    handles(messages.importVex, async (body, attachment) => ({
      body: await importVex(deps, body, attachment),
    })),
    handles(messages.setEmbeddedVex, async (body) => ({ body: await setEmbeddedVex(deps, body) })),
    handles(messages.listVex, async (body) => ({ body: await listVex(deps, body) })),
    handles(messages.readVexDocument, async (body) => ({
      body: await readVexDocument(deps, body),
    })),
    handles(messages.deleteVex, async (body) => {
      await deleteVex(deps, body);
      return { body: { deleted: true } };
    }),
  ];
}
